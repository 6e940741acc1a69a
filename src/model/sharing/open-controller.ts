import { setMaxListeners } from 'node:events'

/** Opens a controller for work in many parts: all of them listen, which is no leak, and Node would warn of one. */
export function openController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

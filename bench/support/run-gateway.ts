import { Server, type AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'

/**
 * Runs a published gateway as a process. Its argument: the script that starts it; later arguments are for that script.
 * The gateway always listens on all interfaces and does not report the port that the system chose for it.
 */
const [, , file = ''] = process.argv

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the server below
const { listen } = Server.prototype
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const onListening = args.find((one): one is () => void => typeof one === 'function')
  return listen.call(this, { host: '127.0.0.1', port: 0 }, () => {
    console.log(`http://127.0.0.1:${(this.address() as AddressInfo).port}`)
    onListening?.()
  })
}

await import(pathToFileURL(file).href)

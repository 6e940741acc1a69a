import { moveBy } from './strip.tsx'

export const SEARCH_FIELD = 'search'

/** Returns the buttons of the listed passages, and the one for more of them. */
const passageButtons = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.passage-head button, .passages > li > button'),
]

/** Shows the first passage that is listed. */
export function openFirstPassage(): void {
  const [first] = passageButtons()
  first?.focus()
  first?.click()
}

/** Moves the focus from the search field to the first passage, or from passage to passage and back to the field. */
export function moveAmongPassages(event: KeyboardEvent): void {
  const buttons = passageButtons()
  const at = buttons.findIndex((one) => one === document.activeElement)
  const isInField = document.activeElement?.id === SEARCH_FIELD
  if (at === 0 && event.key === 'ArrowUp') focusSearch()
  else if (at >= 0 ? /^(?:Arrow(?:Up|Down)|Page|Home|End)/.test(event.key) : isInField && event.key === 'ArrowDown')
    buttons[moveBy(event.key, at, buttons.length) ?? at]?.focus()
  else return
  event.preventDefault()
}

/** Moves the focus to the search field, where its results can be seen. */
export function focusSearch(): void {
  const field = document.getElementById(SEARCH_FIELD)
  field?.focus({ preventScroll: true })
  showResults()
}

/** Scrolls to the search field if what it finds is not on the screen. */
export function showResults(): void {
  const form = document.getElementById(SEARCH_FIELD)?.closest('form')
  if (form && form.getBoundingClientRect().bottom > innerHeight / 2) form.scrollIntoView({ block: 'start' })
  else form?.scrollIntoView({ block: 'nearest' })
}

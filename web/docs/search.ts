import { createFinder, type FoundPart, type Part } from './find.ts'

// The search field of every page of the docs. On /docs/search, the form's target, the results are the page; elsewhere they
// are below the field while it has the focus. The index is loaded on first use.

const form = document.querySelector<HTMLFormElement>('form[role=search]')!
const field = form.querySelector('input')!
const panel = document.querySelector<HTMLElement>('.found')!
const status = panel.querySelector('[role=status]')!
const list = panel.querySelector('ol')!
const isResultsPage = !form.contains(panel)
const limit = isResultsPage ? 50 : 8

let finder: Promise<ReturnType<typeof createFinder>> | undefined

/** Loads the index once, and again after a failure. */
function load() {
  finder ??= read().catch((error) => {
    finder = undefined
    throw error
  })
  return finder
}

async function read() {
  const response = await fetch(form.dataset.index!)
  if (!response.ok) throw new Error(`The index was answered ${response.status}.`)
  return createFinder((await response.json()) as Part[])
}

async function search() {
  const typed = field.value.trim()
  if (isResultsPage) history.replaceState(null, '', `?${new URLSearchParams({ q: typed })}`)
  if (!typed) return show('', [])
  try {
    const found = (await load())(typed)
    if (typed === field.value.trim()) show(summaryOf(found, typed), found)
  } catch {
    show('The search could not be loaded. Check your connection and type again.', [])
  }
}

function summaryOf({ length }: FoundPart[], typed: string) {
  if (length === 0) return `Nothing found for “${typed}”.`
  if (length > limit) return `${limit} of ${length} results.${isResultsPage ? '' : ' Press Enter for more.'}`
  return length === 1 ? '1 result.' : `${length} results.`
}

function show(summary: string, found: FoundPart[]) {
  panel.classList.toggle('asked', summary !== '')
  status.textContent = summary
  list.replaceChildren(...found.slice(0, limit).map(itemOf))
}

function itemOf({ address, page, heading, line }: FoundPart) {
  const pieces = line.map(({ text, hit }) => (hit ? element('mark', text) : text))
  const link = element(
    'a',
    element('strong', heading === page ? page : `${page} › ${heading}`),
    element('small', ...pieces),
  )
  link.href = address
  return element('li', link)
}

function element<T extends keyof HTMLElementTagNameMap>(tag: T, ...children: (Node | string)[]) {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}

/** Returns whether the key press was meant for the search. */
function handleKey({ key, target }: KeyboardEvent): boolean {
  if (key === '/') return target !== field && reach()
  if (!form.contains(target as Node) && !panel.contains(target as Node)) return false
  if (key === 'Escape') return clear()
  if (key === 'ArrowDown') return step(1)
  return key === 'ArrowUp' && step(-1)
}

function reach() {
  field.focus()
  field.select()
  return true
}

/** Clears the field first; leaves it when it is already empty. */
function clear() {
  if (field.value === '') field.blur()
  else field.focus()
  field.value = ''
  search()
  return true
}

/** To the one before or after, of the field and its results. */
function step(by: 1 | -1) {
  const stops = [field, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLInputElement)
  const next = at < 0 ? undefined : stops[at + by]
  next?.focus()
  return next !== undefined
}

field.addEventListener('focus', () => load().catch(() => undefined), { once: true })
field.addEventListener('input', search)
document.addEventListener('keydown', (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (isPlain && handleKey(event)) event.preventDefault()
})
// A result on this very page leaves the focus where it was, and the list above the text.
list.addEventListener('click', () => (document.activeElement as HTMLElement).blur())

if (isResultsPage) field.value = new URLSearchParams(location.search).get('q') ?? ''
if (field.value) search()

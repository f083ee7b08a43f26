import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page, Response } from '@playwright/test'
import { nativeName, shippedLanguages } from '#contract/language.ts'
import { oldPrograms } from '#contract/old-links.ts'
import { TEST_EVENT, webhookEvents } from '#contract/outgoing-webhooks.ts'
import { usStates } from '#contract/payout-settings.ts'
import { MARKED, withoutMarked } from './marked-language.ts'
import { filesOfWords, textsIn } from './words-syntax.ts'

// The texts of a page, and whether they are from the catalogue: for partners, in the marked language, a word without
// marks is data or was written into a component; for a team, a text that no module of words has.

/** A text of a page and its place: 'text in <span class="note">', 'aria-label of <button …>'. */
export type Shown = { text: string; where: string }

/**
 * Runs in the page: returns everything that is visible or read out, hidden parts too. Code is for machines and is left
 * out.
 */
export function readShown(): Shown[] {
  const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription', 'aria-placeholder']
  const attributes = [...spoken, 'title', 'placeholder', 'alt', 'label', 'summary', 'abbr', 'content']
  const silent = 'script, style, noscript, template, code, pre, meta'
  const shown = [{ text: document.title, where: 'title of the document' }]
  const opening = (element: Element) =>
    (element.cloneNode() as Element).outerHTML.replace(/<\/[^<]*$/, '').slice(0, 160)
  const say = (text: string | null, where: string, element: Element) => {
    if (text && /\p{L}/u.test(text)) shown.push({ text: text.trim(), where: `${where} ${opening(element)}` })
  }
  for (const element of document.querySelectorAll(`:not(:is(${silent}), :is(${silent}) *)`)) {
    // a possible line break inside a word does not end it
    let text = ''
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) text += child.textContent
      else if (child.nodeName !== 'WBR') {
        say(text, 'text in', element)
        text = ''
      }
    }
    say(text, 'text in', element)
    for (const name of attributes) say(element.getAttribute(name), `${name} of`, element)
    // The chosen value of a picker, and the label of an input button.
    if (element instanceof HTMLInputElement && !['radio', 'checkbox', 'search'].includes(element.type))
      say(element.value, 'value of', element)
    for (const part of ['::before', '::after']) {
      const { content } = getComputedStyle(element, part)
      if (content.startsWith('"')) say(content.slice(1, -1), `${part} of`, element)
    }
  }
  return shown
}

/** Runs in the page: returns elements wider than the window, and cut-off texts of controls and headings. */
export function readCut(): { text: string; cut: string }[] {
  const found: { text: string; cut: string }[] = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    const beyond = [...document.querySelectorAll('body *')].findLast(
      (element) => element.checkVisibility() && element.getBoundingClientRect().right > clientWidth,
    )
    const cut = `the page is ${scrollWidth} px wide in a window of ${clientWidth} px: ${beyond?.outerHTML.slice(0, 200)}`
    found.push({ text: '', cut })
  }
  const controls = 'button, a[href], label, th, h1, h2, [role=tab], [role^=menuitem]'
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility()) continue
    for (const box of [control, ...control.querySelectorAll<HTMLElement>('*')]) {
      // Text only for screen readers is one pixel wide.
      if (box.clientWidth <= 1 || !box.textContent) continue
      if (getComputedStyle(box).overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1)
        found.push({
          text: box.textContent,
          cut: `'${box.textContent}' is cut: ${box.scrollWidth} px in ${box.clientWidth} px`,
        })
    }
  }
  return found
}

/** Runs in each document, before it has texts: makes them a third wider, as those of other languages are. */
export function widenTexts() {
  const wider = new CSSStyleSheet()
  wider.replaceSync('* { letter-spacing: 0.18em !important }')
  document.adoptedStyleSheets = [wider]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const LETTER = String.raw`[\p{L}\p{N}]`

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Texts outside the catalogue, each with the reason why it is allowed. A finding is never a reason to add one. */
const exceptions: readonly { why: string; pattern: RegExp }[] = [
  { why: 'the name of the product', pattern: /\bTributary\b/g },
  {
    why: 'addresses and e-mail addresses',
    pattern: /\b(https?:\/\/|mailto:)\S+|\S+@\S+|\b[\w-]+(\.[\w-]+)*\.(com|example)\b\S*/g,
  },
  { why: 'sizes of files, which Intl writes', pattern: /\b[\d.,]+ (byte|kB|MB|GB)\b/g },
  {
    why: 'days and months, which Intl writes',
    pattern: new RegExp(
      [
        String.raw`\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)\b`,
        String.raw`( \d+(st|nd|rd|th)\b)?(,? \d+( at (?=\d))?)?`,
      ].join(''),
      'g',
    ),
  },
  {
    why: 'days of the week, which Intl writes',
    pattern: /^(Su|Mo|Tu|We|Th|Fr|Sa)$|\b(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day\b/g,
  },
  { why: 'times, which Intl writes', pattern: /\b\d+(:\d\d)+ [ap]m\b|\b\d+ (minute|hour|day)s?( ago)?\b|^now$/g },
  { why: 'currencies and their names, which Intl writes', pattern: anyOf(currencies()) },
  { why: 'countries, which Intl names', pattern: anyOf(countries()) },
  { why: 'time zones, which Intl names', pattern: anyOf(timeZones()) },
  {
    why: 'languages, which Intl names as they do themselves',
    pattern: anyOf(['en', ...shippedLanguages].map(nativeName)),
  },
  {
    why: 'names of browsers and systems, as a session was begun in one',
    pattern:
      /\b(Edge|Opera|Samsung Internet|Firefox|Chrome|Safari|Android|iPhone|iPad|Windows|macOS|ChromeOS|Linux)\b/g,
  },
  { why: 'places that people fill in themselves', pattern: /\{(referralCode|firstName)\}/g },
  { why: 'names of events, by which other systems know them', pattern: anyOf([...webhookEvents, TEST_EVENT]) },
  {
    why: 'names of programs that people come from',
    pattern: anyOf(Object.values(oldPrograms).map(({ name }) => name)),
  },
  { why: 'states of the United States', pattern: anyOf(usStates.map(({ name }) => name)) },
  { why: 'what the contract says of a wrong value, as the server would', pattern: sentencesOfContract() },
]

const properNames = /^(the name of the product|addresses|currencies|countries|languages|names of browsers|states)/

/** Returns a text without names and addresses, which are the same in every language. */
export const withoutNames = (text: string) =>
  exceptions
    .filter(({ why }) => properNames.test(why))
    // 'New Jersey' before 'Jersey'
    .toReversed()
    .reduce((rest, { pattern }) => rest.replace(pattern, ' '), text)

function currencies() {
  const names = ['en-US', MARKED].map((language) => new Intl.DisplayNames(language, { type: 'currency' }))
  return Intl.supportedValuesOf('currency').flatMap((code) => [code, ...names.map((one) => one.of(code) ?? code)])
}

/** The names of all codes that Intl knows as a country or region. */
function countries() {
  const names = new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const onlyInChrome = ['Falkland Islands (Islas Malvinas)', 'Hong Kong', 'Macao', 'Palestine']
  return [...codes.flatMap((code) => names.of(code) ?? []), ...onlyInChrome]
}

function timeZones() {
  return [...Intl.supportedValuesOf('timeZone'), 'UTC'].flatMap((name) => [name, name.replaceAll('_', ' ')])
}

/** Matches whole texts, the longest first. */
function anyOf(texts: readonly string[], { before = LETTER, after = LETTER, flags = 'gu' } = {}) {
  const sorted = [...new Set(texts)].sort((a, b) => b.length - a.length)
  return new RegExp(`(?<!${before})(${sorted.map(escaped).join('|')})(?!${after})`, flags)
}

/** The literal sentences in the contract's files, with a number or a list for each value of a template. */
function sentencesOfContract() {
  const files = globSync(['contract/*.ts', 'features/*/contract.ts'], { cwd: root })
  const sources = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${root}${file}`, 'utf8'))
  const literals = [...sources.join('\n').matchAll(/'([A-Z][a-z]+ [^'\n]+)'|`([A-Z][a-z]+ [^`\n]+)`/g)]
  const patterns = literals.map(([, plain, template]) =>
    plain
      ? escaped(plain)
      : (template as string)
          .split(/\$\{.*?\}/)
          .map(escaped)
          .join('\\S+(, \\S+)*'),
  )
  return new RegExp(`^(${patterns.join('|')})$`, 'g')
}

/** Names given by people or companies may look like the machine's own; under these keys they count as data. */
const given = /^(path|referralCode|parameterName|key|apiKey|lastFour|externalId|wiseTokenHint|actor|slug)$/
/** A machine's value, such as 'in-payout': shown unchanged, it would be a word outside the catalogue. */
const machine = /^[a-z][a-zA-Z\d]*([-_.][a-zA-Z\d]+)*$|^[A-Z]+(_[A-Z]+)*$/

/** How the words of a catalogue are told from others: by their marks, or for a team as those of the modules. */
export type Reading = 'marked' | 'english'

/** Returns a text without the words of the catalogue. */
const withoutWords: Record<Reading, (text: string) => string> = {
  marked: withoutMarked,
  english: (text) => text.replace(englishPattern(), ' '),
}

let english: RegExp | undefined

/** Matches what the modules say between their values. */
function englishPattern() {
  english ??= anyOf(
    filesOfWords
      .flatMap((file) => textsIn(file, readFileSync(file, 'utf8')))
      .flatMap((text) => text.split(/\{\w*\}|[[\]]/))
      .map((text) => text.trim().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
      .filter(hasWords),
    // 'payout' is no part of 'in-payout', a word of the machine, but 'PO' is one of 'PO-1'; labels have capitals
    { before: String.raw`[\p{L}\p{N}_-]`, after: String.raw`[\p{L}\p{N}_]|-\p{L}`, flags: 'giu' },
  )
  return english
}

/** The API's answers: the texts that are data. */
export class Data {
  readonly #withoutWords: (text: string) => string

  constructor(reading: Reading) {
    this.#withoutWords = withoutWords[reading]
  }

  readonly #texts = new Set<string>()
  readonly #judged = new Map<string, boolean>()
  readonly #reading: Promise<void>[] = []
  #pattern: RegExp | null = null

  /** Reads every answer of the API to this page from now on. */
  hear(page: Page) {
    page.on('response', (response) => {
      if (/\/api\/v1\//.test(response.url())) this.#reading.push(this.#read(response))
    })
  }

  async #read(response: Response) {
    const reply = await response.json().catch(() => null)
    this.add(reply)
  }

  add(value: unknown, key = '') {
    if (Array.isArray(value)) for (const one of value) this.add(one, key)
    else if (typeof value === 'object' && value !== null)
      // a change of a field has its value before and after
      for (const [name, inner] of Object.entries(value)) this.add(inner, /^(old|new)$/.test(name) ? key : name)
    else if (typeof value === 'string' && /\p{L}{2}/u.test(value) && (given.test(key) || !machine.test(value))) {
      if (this.#texts.has(value.trim())) return
      // a sentence may go on with words of the catalogue
      for (const text of [value.trim(), value.trim().replace(/\.$/, '')]) this.#texts.add(text)
      this.#pattern = null
    }
  }

  /** Returns the shown texts that are neither marked nor data. */
  async outsideCatalogue(shown: readonly Shown[]): Promise<Shown[]> {
    await Promise.all(this.#reading.splice(0))
    return shown.filter(({ text }) => !this.#isAccounted(text))
  }

  /** Returns those of the cut-off texts that the catalogue has, and what is wider than the window. */
  cutWords = (found: ReturnType<typeof readCut>) =>
    found.flatMap(({ text, cut }) => (text === '' || this.#hasCatalogueWords(text) ? [cut] : []))

  #hasCatalogueWords(text: string) {
    const rest = excepted(this.#withoutData(text))
    return this.#withoutWords(rest) !== rest
  }

  #withoutData(text: string) {
    this.#pattern ??= anyOf([...this.#texts])
    return this.#texts.size ? text.replace(this.#pattern, ' ') : text
  }

  #isAccounted(text: string) {
    if (this.#judged.get(text)) return true
    // most texts are wholly from the catalogue, and the expressions below are long
    if (!hasWords(this.#withoutWords(text))) return true
    // in either order: the name of a currency may begin with a country of the data
    const whole = this.#texts.has(text) || exceptions.some(({ pattern }) => text.replace(pattern, '') === '')
    const rest = (text: string) => !hasWords(this.#withoutWords(text))
    const accounted =
      whole ||
      rest(excepted(text)) ||
      rest(excepted(this.#withoutData(text))) ||
      !hasWords(excepted(this.#withoutData(this.#withoutWords(text))))
    this.#judged.set(text, accounted)
    return accounted
  }
}

/** Returns a text without what is allowed outside the catalogue. */
const excepted = (text: string) => exceptions.reduce((rest, { pattern }) => rest.replace(pattern, ' '), text)

const hasWords = (text: string) => /\p{Script=Latin}{2}/u.test(text)

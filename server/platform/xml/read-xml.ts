import { createSlices } from '../slices.ts'

/** An element by its local name, with the text directly in it. */
export type XmlElement = {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** A file that is not XML, or more than it may be. */
export class XmlError extends Error {}

/** Deepest nesting read, the root included; most elements; most attributes of one; longest name. */
const DEEPEST = 30
const MOST_ELEMENTS = 200_000
const MOST_ATTRIBUTES = 100
const LONGEST_NAME = 200

/** Tokens read between two looks at the clock. */
const LOOK_EVERY = 200

/** Whether a file is meant as XML: it begins with a tag. */
export const isXml = (text: string) => /^\ufeff?\s*</.test(text)

/**
 * Parses an XML document into its root element. References such as `&amp;` stay as written. The time grows with the
 * length alone, whatever a stranger makes the file of, and others are served meanwhile. Throws `XmlError` for a file with
 * a document type, which could define entities or name files, for one beyond the limits above, and for one that is not
 * well-formed.
 */
export async function readXml(text: string): Promise<XmlElement> {
  const [root, ...others] = await readDocuments(text)
  if (others.length > 0) throw new XmlError('There is not one element at the top.')
  return root!
}

/** Parses a text of one XML document or of several, one after another, into their root elements; like `readXml`. */
export async function readDocuments(text: string): Promise<XmlElement[]> {
  const tree = new Tree()
  for await (const _ of scanXml([text], tree, MOST_ELEMENTS));
  return tree.roots
}

/** Gets the parts of a document in its order, elements by their local names. */
export type XmlHandler = {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

/**
 * Reads a document that comes in pieces, which need not be in memory together, and tells the handler its parts; yields
 * after each piece. Throws `XmlError` as `readXml` does.
 */
export async function* scanXml(
  pieces: Iterable<string> | AsyncIterable<string>,
  handler: XmlHandler,
  mostElements: number,
): AsyncGenerator<void> {
  const pause = createSlices()
  const scanner = new Scanner(handler, mostElements)
  let tokens = 0
  const readOn = async (isLast: boolean) => {
    while (scanner.readToken(isLast)) if (++tokens % LOOK_EVERY === 0) await pause()
  }
  for await (const piece of pieces) {
    scanner.add(piece)
    await readOn(false)
    yield
  }
  await readOn(true)
  scanner.end()
  yield
}

const NAME = `[\\p{L}_:][\\p{L}\\p{M}\\p{N}_.:\\u00b7-]{0,${LONGEST_NAME - 1}}`
const SPACE = '[ \\t\\r\\n]'
const OPENING = new RegExp(`<(${NAME})`, 'uy')
const ATTRIBUTE = new RegExp(`${SPACE}+(${NAME})${SPACE}*=${SPACE}*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')
const OPENED = new RegExp(`${SPACE}*(/?)>`, 'y')
const CLOSING = new RegExp(`</(${NAME})${SPACE}*>`, 'uy')
/** Each document may begin with a mark of its encoding. */
const NOTHING = /^[ \t\r\n\ufeff]*$/

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Longest tag or comment in characters where the rest of its document is not known yet. */
const LONGEST_TOKEN = 65_536

/** Reads a document token by token: a tag, a comment or text. */
class Scanner {
  readonly #handler: XmlHandler
  #left: number
  #xml = ''
  #at = 0
  #hasRoot = false
  /** Elements that are open, by their names as written. */
  readonly #open: string[] = []

  constructor(handler: XmlHandler, mostElements: number) {
    this.#handler = handler
    this.#left = mostElements
  }

  add(piece: string) {
    this.#xml = this.#xml.slice(this.#at) + piece
    this.#at = 0
  }

  /** Reads the next token, unless more of it may follow; returns whether it did. */
  readToken(isLast: boolean): boolean {
    const xml = this.#xml
    const left = xml.length - this.#at
    if (left === 0 || (!isLast && left <= LONGEST_TOKEN)) return false
    if (xml[this.#at] !== '<') this.#readText(xml.indexOf('<', this.#at))
    else if (xml.startsWith('<?', this.#at)) this.#skipPast('?>')
    else if (xml.startsWith('<!--', this.#at)) this.#skipPast('-->')
    else if (xml.startsWith('<![CDATA[', this.#at)) this.#tell(this.#skipPast(']]>').slice('<![CDATA['.length, -3))
    else if (xml.startsWith('<!', this.#at)) throw new XmlError('A document type is not accepted.')
    else if (xml.startsWith('</', this.#at)) this.#close(this.#take(CLOSING)[1]!)
    else this.#readOpening()
    return true
  }

  end() {
    if (!this.#hasRoot || this.#open.length > 0) throw new XmlError('There is no whole element at the top.')
  }

  #readOpening() {
    const written = this.#take(OPENING)[1]!
    const attributes = new Map<string, string>()
    for (let found = this.#find(ATTRIBUTE); found; found = this.#find(ATTRIBUTE)) {
      const [, name, quoted, apostrophed] = found
      if (attributes.has(name!)) throw new XmlError('An attribute is given twice.')
      if (attributes.size === MOST_ATTRIBUTES) throw new XmlError('There are too many attributes.')
      attributes.set(name!, quoted ?? apostrophed!)
    }
    const isEmpty = this.#take(OPENED)[1] === '/'
    const named = [...attributes].filter(([name]) => !/^xmlns(:|$)/.test(name))
    if (--this.#left < 0) throw new XmlError('There are too many elements.')
    this.#hasRoot = true
    const name = localName(written)
    this.#handler.open(name, Object.fromEntries(named.map(([name, value]) => [localName(name), value])))
    if (isEmpty) this.#handler.close(name)
    else if (this.#open.push(written) > DEEPEST) throw new XmlError('Elements are nested too deeply.')
  }

  #close(written: string) {
    if (this.#open.pop() !== written) throw new XmlError('An element is closed that is not open.')
    this.#handler.close(localName(written))
  }

  #readText(end: number) {
    this.#tell(this.#xml.slice(this.#at, end < 0 ? undefined : end))
    this.#at = end < 0 ? this.#xml.length : end
  }

  #tell(text: string) {
    if (this.#open.length > 0) this.#handler.text(text)
    else if (!NOTHING.test(text)) throw new XmlError('There is text outside of the element at the top.')
  }

  /** Skips to the end of this mark; returns the skipped characters. */
  #skipPast(mark: string): string {
    const end = this.#xml.indexOf(mark, this.#at)
    if (end < 0) throw new XmlError('The file is cut off.')
    const skipped = this.#xml.slice(this.#at, end + mark.length)
    this.#at = end + mark.length
    return skipped
  }

  #take(pattern: RegExp): RegExpExecArray {
    const found = this.#find(pattern)
    if (!found) throw new XmlError('A tag cannot be read.')
    return found
  }

  #find(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#xml)
    if (found) this.#at = pattern.lastIndex
    return found
  }
}

/** Makes elements of the parts of a document. */
class Tree implements XmlHandler {
  readonly roots: XmlElement[] = []
  readonly #open: XmlElement[] = []

  open(name: string, attributes: Record<string, string>) {
    const element: XmlElement = { name, attributes, text: '', children: [] }
    const among = this.#open.at(-1)?.children ?? this.roots
    among.push(element)
    this.#open.push(element)
  }

  text(text: string) {
    this.#open.at(-1)!.text += text
  }

  close() {
    const closed = this.#open.pop()!
    closed.text = closed.text.trim()
  }
}

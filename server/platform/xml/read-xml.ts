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
  const pause = createSlices()
  const document = new Document(text)
  for (let tokens = 1; document.readToken(); tokens++) if (tokens % LOOK_EVERY === 0) await pause()
  return document.roots()
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

/** A document read token by token: a tag, a comment or text. */
class Document {
  readonly #xml: string
  #at = 0
  #elements = 0
  readonly #roots: XmlElement[] = []
  /** Elements that are open, by their names as written. */
  readonly #open: { written: string; element: XmlElement }[] = []

  constructor(xml: string) {
    this.#xml = xml
  }

  /** Reads the next token; returns whether there was one. */
  readToken(): boolean {
    const xml = this.#xml
    if (this.#at >= xml.length) return false
    if (xml[this.#at] !== '<') this.#readText(xml.indexOf('<', this.#at))
    else if (xml.startsWith('<?', this.#at)) this.#skipPast('?>')
    else if (xml.startsWith('<!--', this.#at)) this.#skipPast('-->')
    else if (xml.startsWith('<![CDATA[', this.#at)) this.#addText(this.#skipPast(']]>').slice('<![CDATA['.length, -3))
    else if (xml.startsWith('<!', this.#at)) throw new XmlError('A document type is not accepted.')
    else if (xml.startsWith('</', this.#at)) this.#close(this.#take(CLOSING)[1]!)
    else this.#readOpening()
    return true
  }

  roots(): XmlElement[] {
    if (this.#roots.length === 0 || this.#open.length > 0) throw new XmlError('There is no whole element at the top.')
    return this.#roots
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
    const element: XmlElement = {
      name: localName(written),
      attributes: Object.fromEntries(named.map(([name, value]) => [localName(name), value])),
      text: '',
      children: [],
    }
    if (++this.#elements > MOST_ELEMENTS) throw new XmlError('There are too many elements.')
    const parent = this.#open.at(-1)
    if (parent) parent.element.children.push(element)
    else this.#roots.push(element)
    if (isEmpty) return
    if (this.#open.push({ written, element }) > DEEPEST) throw new XmlError('Elements are nested too deeply.')
  }

  #close(written: string) {
    const closed = this.#open.pop()
    if (closed?.written !== written) throw new XmlError('An element is closed that is not open.')
    closed.element.text = closed.element.text.trim()
  }

  #readText(end: number) {
    this.#addText(this.#xml.slice(this.#at, end < 0 ? undefined : end))
    this.#at = end < 0 ? this.#xml.length : end
  }

  #addText(text: string) {
    const inside = this.#open.at(-1)
    if (inside) inside.element.text += text
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

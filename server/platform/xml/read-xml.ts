/** An element by its local name, with the text directly in it. */
export type XmlElement = {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** A file that is not XML, or more than it may be. */
export class XmlError extends Error {}

/** Deepest nesting read, the root included. */
const DEEPEST = 30

/** Whether a file is meant as XML: it begins with a tag. */
export const isXml = (text: string) => /^\ufeff?\s*</.test(text)

/**
 * Parses an XML document into its root element. References such as `&amp;` stay as written. Throws `XmlError` for a file
 * with a document type, which could define entities or name files, for one nested too deeply, and for one that is not
 * well-formed.
 */
export async function readXml(text: string): Promise<XmlElement> {
  // loaded on first use
  const { XMLParser } = await import('fast-xml-parser')
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: false,
    // the parser counts an element once it opens another
    maxNestedTags: DEEPEST - 1,
  })
  const xml = text.replace(/^\ufeff/, '')
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw new XmlError('A document type is not accepted.')
  let nodes: Node[]
  try {
    nodes = parser.parse(xml, true) as Node[]
  } catch (error) {
    throw new XmlError((error as Error).message)
  }
  const [root, another] = elementsOf(nodes)
  if (!root || another) throw new XmlError('There is not one element at the top.')
  return root
}

type Node = Record<string, unknown>

const TEXT = '#text'
const ATTRIBUTES = ':@'

const elementsOf = (nodes: Node[]): XmlElement[] =>
  nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES)
    if (name === undefined || name === TEXT) return []
    const inside = node[name] as Node[]
    const text = inside.map((one) => one[TEXT] ?? '').join('')
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>
    return [{ name, attributes, text: text.trim(), children: elementsOf(inside) }]
  })

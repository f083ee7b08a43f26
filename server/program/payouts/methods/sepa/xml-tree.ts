import type { XmlTree } from '../method.ts'

/** Longest id taken from a file. */
const LONGEST = 100

export const childrenNamed = (element: XmlTree | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? []

/** Returns the first element at this path. */
export const elementAt = (element: XmlTree | undefined, ...path: string[]): XmlTree | undefined =>
  path.reduce((inside, name) => inside?.children.find((child) => child.name === name), element)

export const textAt = (element: XmlTree | undefined, ...path: string[]): string | null =>
  elementAt(element, ...path)?.text.slice(0, LONGEST) || null

/** Returns an id, which banks that do not repeat it fill in by a word of the standard. */
export const idIn = (element: XmlTree | undefined, ...path: string[]) => {
  const id = textAt(element, ...path)
  return id?.toUpperCase() === 'NOTPROVIDED' ? null : id
}

export const readDecimal = (amount: XmlTree | undefined) =>
  /^\d{1,15}(\.\d{1,5})?$/.test(amount?.text ?? '') ? amount!.text : null

export const readCurrency = (amount: XmlTree | undefined) => amount?.attributes.Ccy?.toLowerCase() ?? null

/**
 * Formats a list as PostgreSQL's array text. Lists of plain values are sent with every group of writes, and most of
 * their texts (ids, dates, names) need no quotes: the driver quotes and scans each twice. Lists with other values, such
 * as bytes, are left to the driver.
 */
export function arrayText(list: readonly unknown[]): string | readonly unknown[] {
  let text = '{'
  for (let index = 0; index < list.length; index++) {
    const value = list[index]
    if (index > 0) text += ','
    if (value === null || value === undefined) text += 'NULL'
    else if (typeof value === 'string') text += needsNoQuotes(value) ? value : quoted(value)
    else if (typeof value === 'number' || typeof value === 'boolean') text += value
    else return list
  }
  return `${text}}`
}

const needsNoQuotes = (text: string) => PLAIN.test(text) && !NULL.test(text)
const PLAIN = /^[A-Za-z0-9_.:+/-]+$/
const NULL = /^null$/i

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

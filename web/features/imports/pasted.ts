/**
 * Returns pasted text as a CSV file: unchanged if its first line is a header, else its people, one per row. A line is an
 * address alone, 'Jane Doe <jane@x.com>', or names and an address separated by tabs, semicolons or commas. Several
 * addresses with their names may share a line, as copied from a mail program.
 */
export function toCsvFile(text: string): string {
  const pasted = text.replace(/^\uFEFF/, '')
  const first = pasted.trimStart().split(LINE_BREAK, 1)[0]!
  const isTable = !first.includes('@') && (/[,;\t|]/.test(first) || /e-?mail/i.test(first))
  if (isTable) return pasted
  const rows = entriesIn(pasted).map(personIn)
  return [['email', 'firstName', 'lastName'], ...rows].map((cells) => cells.map(cellOf).join(',')).join('\n')
}

type Person = [email: string, firstName: string, lastName: string]

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/

const cellOf = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Separators between people on one line: a comma or semicolon, else a closing bracket or a space. */
const breaksIn = (line: string) => [/(?<=@[^,;\t]*)[,;]\s*/, line.includes('<') ? /(?<=@[^>]*>)[\s,;]*/ : /[\s,;]+/]

function entriesIn(text: string) {
  return text.split(LINE_BREAK).flatMap((whole) => {
    const line = whole.trim()
    if (line === '') return []
    const parts = breaksIn(line).map((between) => line.split(between).filter((part) => part.trim() !== ''))
    const several = parts.find((some) => some.length > 1 && some.every((part) => part.split('@').length === 2))
    return (several ?? [line]).map((part) => part.trim())
  })
}

const bare = (text: string) =>
  text
    .trim()
    .replace(/^["'“”]+|["'“”]+$/g, '')
    .replace(/^mailto:/i, '')
    .trim()

/** Without one address in it, the whole entry is its email, which the import then refuses. */
function personIn(text: string): Person {
  const person = readPerson(text)
  return person && !/\S@\S/.test(person.slice(1).join(' ')) ? person : [text, '', '']
}

function readPerson(text: string): Person | null {
  const angled = /^(.*?)<([^<>]*)>[,;\s]*$/.exec(text)
  if (angled) {
    const [name, email] = [bare(angled[1]!), bare(angled[2]!)]
    // mail programs repeat the address if they don't have a name
    return [email, ...namesIn(name.toLowerCase() === email.toLowerCase() ? '' : name)]
  }
  const separator = ['\t', ';', ','].find((one) => text.includes(one))
  const fields = (separator ? text.split(separator) : text.split(/\s+/)).map(bare).filter((field) => field !== '')
  const at = fields.findIndex((field) => field.includes('@'))
  if (at < 0) return null
  const names = fields.filter((_, other) => other !== at)
  if (separator && names.length > 1) return [fields[at]!, names[0]!, names[1]!]
  return [fields[at]!, ...namesIn(names.join(' '))]
}

/** Parses 'Jane Doe', and 'Doe, Jane' as mail programs write it; the last of several words is the last name. */
function namesIn(name: string): [firstName: string, lastName: string] {
  const [last, first] = name.split(',').map(bare)
  if (first && last) return [first, last]
  const words = bare(name).split(/\s+/).filter(Boolean)
  const lastName = words.length > 1 ? words.pop()! : ''
  return [words.join(' '), lastName]
}

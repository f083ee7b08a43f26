import { codeFromName, NewPartner } from '#contract/partners.ts'
import { mistakesIn } from '../../ui/form-body.ts'
import { t } from '../../words.ts'

/** Partners added at once. */
export const MOST_PEOPLE = 500

export type Someone = { email: string; firstName: string | null; lastName: string | null }
/** The result of one line: a person, or the problem with it. `line` counts from 1, as in the box. */
export type PersonLine = { line: number; text: string } & ({ person: Someone } | { wrong: string })

/**
 * Parses the partners to add, one per line: an address alone, 'Jane Doe <jane@x.com>', or names and an address
 * separated by tabs, semicolons or commas. Several addresses with their names may share a line, as copied from a mail
 * program.
 */
export function peopleIn(text: string): PersonLine[] {
  const seen = new Map<string, number>()
  return entriesIn(text).map(({ line, text }, at) => {
    const person = personIn(text)
    if (at >= MOST_PEOPLE) return { line, text, wrong: t('partners.several.tooMany', { most: MOST_PEOPLE }) }
    if (!person) return { line, text, wrong: t('partners.several.noAddress') }
    if (isTwo(person)) return { line, text, wrong: t('partners.several.twoAddresses') }
    const wrong = mistakesIn(NewPartner, person, () => undefined)
    const mistake = wrong.email ?? Object.values(wrong)[0]
    if (mistake) return { line, text, wrong: mistake }
    const email = person.email.toLowerCase()
    const first = seen.get(email)
    if (first) return { line, text, wrong: t('partners.several.twice', { line: first }) }
    seen.set(email, line)
    return { line, text, person }
  })
}

/** Returns the code each of them will get, unless another partner already has it. */
export function codesFor(people: readonly Someone[]) {
  const taken = new Map<string, number>()
  return people.map(({ firstName, lastName }) => {
    const code = suggestedCode({ firstName: firstName ?? '', lastName: lastName ?? '' })
    const base = code.length >= 3 ? code : 'partner'
    const before = taken.get(base) ?? 0
    taken.set(base, before + 1)
    return before === 0 ? base : `${base}-${before + 1}`
  })
}

/** Returns the server's code for the name, except for the number added if it is taken; never derived from the email. */
export const suggestedCode = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  codeFromName(`${firstName} ${lastName}`)

/** Separators between people on one line: a comma or semicolon, else a closing bracket or a space. */
const breaksIn = (line: string) => [/(?<=@[^,;\t]*)[,;]\s*/, line.includes('<') ? /(?<=@[^>]*>)[\s,;]*/ : /[\s,;]+/]

function entriesIn(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.flatMap((whole, at) => {
    const line = whole.trim()
    // the header row of a copied table
    if (line === '' || (at === 0 && !line.includes('@') && /e-?mail/i.test(line))) return []
    const parts = breaksIn(line).map((between) => line.split(between).filter((part) => part.trim() !== ''))
    const several = parts.find((some) => some.length > 1 && some.every((part) => part.split('@').length === 2))
    return (several ?? [line]).map((text) => ({ line: at + 1, text: text.trim() }))
  })
}

const bare = (text: string) =>
  text
    .trim()
    .replace(/^["'“”]+|["'“”]+$/g, '')
    .replace(/^mailto:/i, '')
    .trim()

/** True if the name contains an address: the line then holds two people. */
const isTwo = ({ firstName, lastName }: Someone) => /\S@\S/.test(`${firstName} ${lastName}`)

function personIn(text: string): Someone | null {
  const angled = /^(.*?)<([^<>]*)>[,;\s]*$/.exec(text)
  if (angled) {
    const [name, email] = [bare(angled[1]!), bare(angled[2]!)]
    // mail programs repeat the address if they don't have a name
    return { email, ...namesIn(name.toLowerCase() === email.toLowerCase() ? '' : name) }
  }
  const separator = ['\t', ';', ','].find((one) => text.includes(one))
  const fields = (separator ? text.split(separator) : text.split(/\s+/)).map(bare).filter((field) => field !== '')
  const at = fields.findIndex((field) => field.includes('@'))
  if (at < 0) return null
  const names = fields.filter((_, other) => other !== at)
  if (separator && names.length > 1) return { email: fields[at]!, firstName: names[0]!, lastName: names[1]! }
  return { email: fields[at]!, ...namesIn(names.join(' ')) }
}

/** Parses 'Jane Doe', and 'Doe, Jane' as mail programs write it; the last of several words is the last name. */
function namesIn(name: string) {
  const [last, first] = name.split(',').map(bare)
  if (first && last) return { firstName: first, lastName: last }
  const words = bare(name).split(/\s+/).filter(Boolean)
  const lastName = words.length > 1 ? words.pop()! : null
  return { firstName: words.join(' ') || null, lastName }
}

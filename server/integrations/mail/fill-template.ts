import { currentLanguage, type Language, withLanguage } from '#contract/language.ts'
import { type ProseBlock, type ProsePiece, parseProse } from '#contract/prose.ts'
import {
  type EmailTemplateKind,
  type EmailText,
  fillVariables,
  findTextMistake,
  type OwnVariable,
  splitBody,
  variablesIn,
} from '#features/email-templates/contract.ts'
import { oneLine } from '../../platform/format-values.ts'
import { formatAccountName, type MailMessage, nameOr, type Part } from './message.ts'
import { mailPhrases } from './text.ts'

/** The person to whom a mail is written, by the names that the account or they entered. */
export type Addressee = { firstName: string | null; name: string }

/** The partner to whom samples are written. */
export const samplePartner: Addressee = { firstName: 'Pia', name: 'Pia Tern' }

/** Values of the variables that a kind of mail has beyond those of every mail. */
export type VariableValues = Partial<Record<OwnVariable, string | null>>

/** The facts that a text of the account may name. */
export type TemplateFacts = {
  kind: EmailTemplateKind
  addressee: Addressee | undefined
  dashboardUrl: string
  supportEmail: string | null
  values: VariableValues
  /** The parts in the place of `{{details}}`. */
  details: Part[]
}

const LONGEST_SUBJECT = 200
const LONGEST_PREVIEW = 150

/**
 * Returns a letter with the account's own text: its recipient, look and reason stay. A text that this kind of mail can't
 * have, such as an imported one, is not used.
 */
export function fillTemplate(
  letter: MailMessage,
  text: EmailText & { language?: Language },
  facts: TemplateFacts,
): MailMessage {
  if (findTextMistake(facts.kind, text)) return letter
  const { button, showsLink, ...rest } = letter
  const valueFor = createValues(letter, facts, text.language ?? currentLanguage())
  const [line] = linesOf([[{ text: text.subject }]], valueFor)
  const subject = shorten(oneLine(line?.[0]?.text ?? ''), LONGEST_SUBJECT) || letter.subject
  const parts = splitBody(text.body).flatMap((part): Part[] => {
    if ('prose' in part) return proseOf(part.prose, valueFor)
    if (part.block === 'details') return facts.details
    return button ? [{ button, showsLink }] : []
  })
  return {
    ...rest,
    subject,
    preview: previewOf(parts) || letter.preview,
    parts,
    ...(text.language !== undefined && { textLanguage: text.language }),
  }
}

type ValueFor = (name: string) => string

/** Names are those of unknown people: they become no link, heading or variable, and neither does anything else. */
function createValues({ account }: MailMessage, facts: TemplateFacts, language: Language): ValueFor {
  const { addressee, dashboardUrl, supportEmail, values } = facts
  const there = withLanguage(language, () => mailPhrases.there)
  const all: Record<string, string | null> = {
    ...values,
    partner_first_name: nameOr(addressee?.firstName, there),
    partner_name: nameOr(addressee?.name, there),
    company: formatAccountName(account),
    dashboard_url: dashboardUrl,
    support_email: supportEmail,
  }
  return (name) => oneLine((Object.hasOwn(all, name) && all[name]) || '')
}

/** Parses prose before it is filled, so that no value changes its form. */
function proseOf(text: string, valueFor: ValueFor): Part[] {
  const prose = parseProse(text).flatMap((block): ProseBlock[] => {
    if (block.kind === 'heading') return linesOf([block.line], valueFor).map((line) => ({ kind: 'heading', line }))
    if (block.kind === 'list') {
      const items = linesOf(block.items, valueFor)
      return items.length > 0 ? [{ kind: 'list', items }] : []
    }
    const lines = linesOf(block.lines, valueFor)
    return lines.length > 0 ? [{ kind: 'paragraph', lines }] : []
  })
  return prose.length > 0 ? [{ prose }] : []
}

/** Fills lines, without those whose variables are all empty: 'Reason: ' without a reason would be of no use. */
function linesOf(lines: ProsePiece[][], valueFor: ValueFor): ProsePiece[][] {
  return lines
    .map((pieces) => pieces.map(({ text }) => text).join(''))
    .filter((line) => {
      const names = variablesIn(line)
      return names.length === 0 || names.some((name) => valueFor(name) !== '')
    })
    .map((line) => [{ text: fillVariables(line, valueFor) }])
}

/** The beginning of the first prose, for a mailbox. */
function previewOf(parts: Part[]) {
  const first = parts.find((part) => typeof part === 'object' && 'prose' in part)
  if (!first || typeof first !== 'object' || !('prose' in first)) return ''
  const [text] = first.prose.flatMap((block) =>
    block.kind === 'paragraph' ? [block.lines.flat().map((piece) => piece.text)] : [],
  )
  return shorten(oneLine((text ?? []).join(' ')), LONGEST_PREVIEW)
}

const shorten = (text: string, most: number) => {
  const signs = [...text]
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : text
}

import { z } from 'zod'
import { LONGEST_ANSWER, type Question } from '#contract/applications.ts'
import type { Language } from '#contract/language.ts'
import { translateSentence } from '#contract/sentences.ts'
import { Email, optionalName, plainText, WebAddress } from '#contract/values.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { pagePhrases } from './page-text.ts'

const SECOND = 1000
/** Least and most time between loading the form and sending it. */
const SHORTEST_MS = 3 * SECOND
const LONGEST_MS = 24 * 3_600_000

/** `agreement`: the version that the form asks to accept, in the words of a language. */
type Form = {
  accountId: string
  questions: readonly Question[]
  agreement: number | null
  agreementLanguage: Language | null
}

const digestOf = (secrets: Secrets, { questions, agreement, agreementLanguage }: Omit<Form, 'accountId'>) =>
  secrets
    .derive(
      'application-questions',
      JSON.stringify(agreement === null ? questions : [questions, agreement, agreementLanguage]),
    )
    .slice(0, 11)

const sealOf = (secrets: Secrets, accountId: string, content: string) =>
  secrets.derive('application-form', `${accountId}.${content}`).slice(0, 22)

/** Signs when a form was shown, and with which questions and agreement. */
export function issueForm(secrets: Secrets, form: Form, at: number): string {
  const content = `${Math.floor(at / SECOND)}.${digestOf(secrets, form)}`
  return `${content}.${sealOf(secrets, form.accountId, content)}`
}

/**
 * Problem of a form's signed time: too fast for a person, old or forged, or of other questions or another agreement.
 */
export type IssueProblem = 'too-fast' | 'expired' | 'changed'

export function problemOfIssue(
  secrets: Secrets,
  form: Form,
  issued: string,
  { now, unhurried }: { now: number; unhurried: boolean },
): IssueProblem | undefined {
  const [, content = '', seconds, digest, seal] = /^((\d{1,12})\.([^.]+))\.([^.]+)$/.exec(issued) ?? []
  if (seconds === undefined || seal !== sealOf(secrets, form.accountId, content)) return 'expired'
  const age = now - Number(seconds) * SECOND
  if (age < -SECOND || age > LONGEST_MS) return 'expired'
  if (digest !== digestOf(secrets, form)) return 'changed'
  return unhurried && age < SHORTEST_MS ? 'too-fast' : undefined
}

/** The time to sign for a form that is shown again and may be sent at once. */
export const longEnoughAgo = (now: number) => now - SHORTEST_MS

export const LONGEST_NAME = 100
export const LONGEST_EMAIL = 254

const required = (name: string) => optionalName(LONGEST_NAME).refine((value) => value !== null, `${name} is required`)

const Names = z.object({
  firstName: required('First Name'),
  lastName: required('Last Name'),
  email: plainText(LONGEST_EMAIL).min(1, 'Email is required').pipe(Email),
})

type Filled = { firstName: string; lastName: string; email: string; answers: { label: string; value: string }[] }

/** Parses what was typed. Returns the mistake of each field in words of the current language, or what was filled in. */
export function readForm(
  { questions, agreement }: Pick<Form, 'questions' | 'agreement'>,
  typed: Readonly<Record<string, string>>,
): { wrong: Record<string, string> } | { filled: Filled } {
  const wrong: Record<string, string> = {}
  const { firstName = '', lastName = '', email = '' } = typed
  const names = Names.safeParse({ firstName, lastName, email })
  for (const { path, message } of names.error?.issues ?? []) wrong[String(path[0])] ??= translateSentence(message)
  const answers = questions.flatMap((question, at) => {
    const answer = answerIn(question, typed[`q${at}`] ?? '')
    if ('wrong' in answer) wrong[`q${at}`] = answer.wrong
    return 'value' in answer && answer.value ? [{ label: question.label, value: answer.value }] : []
  })
  if (agreement !== null && typed.agreement !== `${agreement}`) wrong.agreement = pagePhrases.form.acceptFirst
  return names.success && Object.keys(wrong).length === 0
    ? { filled: { ...(names.data as Omit<Filled, 'answers'>), answers } }
    : { wrong }
}

const schemas = {
  text: plainText(LONGEST_ANSWER),
  url: WebAddress.refine((value) => value.length <= LONGEST_ANSWER, `Use at most ${LONGEST_ANSWER} characters`),
  'yes-no': z.enum(['Yes', 'No'], { error: () => pagePhrases.form.chooseYesOrNo }),
}

function answerIn({ kind, required, choices }: Question, typed: string): { value: string } | { wrong: string } {
  if (typed.trim() === '') return required ? { wrong: pagePhrases.form.required } : { value: '' }
  const schema = kind === 'choice' ? z.enum(choices as [string], pagePhrases.form.chooseOne) : schemas[kind]
  const { data, error } = schema.safeParse(typed)
  return error ? { wrong: translateSentence(error.issues[0]!.message) } : { value: data }
}

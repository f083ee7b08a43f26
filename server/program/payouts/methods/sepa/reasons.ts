import type { NameCheck } from '#contract/payouts.ts'
import { bankReasons } from './text.ts'

const reasons: Record<string, string> = bankReasons

/** Returns the reason in words, with its code. */
export const formatReason = (code: string | null): string =>
  code === null ? bankReasons.none : isKnown(code) ? reasons[code]! : code

const isKnown = (code: string) => /^[A-Z\d]{4}$/.test(code) && Object.hasOwn(reasons, code)

/** The status of a transfer by what its bank found when it compared the payee's name with the account's. */
const nameChecks = new Map<string | null, NameCheck['result']>([
  ['RVNM', 'no-match'],
  ['RVMC', 'close-match'],
  ['RVNA', 'not-checked'],
])

/** Returns what a bank found; a match is nothing to tell. */
export const findNameCheck = (status: string | null) => nameChecks.get(status) ?? null

/** Returns the first of these codes in a bank's text; words alone, such as TECH, are none. */
export const codeIn = (text: string): string | null => text.match(/\b[A-Z]{2}\d\d\b/g)?.find(isKnown) ?? null

/** Reasons about the account that pays. */
const ofPayer = ['AC02', 'AC05', 'AC10', 'AC13']

/** Whether the reason is that the payee's account can't be paid; other reasons may pass. */
export const isOfDetails = (code: string | null): boolean => /^AC\d\d$/.test(code ?? '') && !ofPayer.includes(code!)

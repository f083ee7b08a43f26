import type { NameCheck } from '#contract/payouts.ts'

/** Why a bank refused or returned a transfer, by the codes that transfers of the scheme use (ISO 20022, external). */
const reasons: Record<string, string> = {
  AC01: 'The IBAN is wrong',
  AC02: 'The paying account’s IBAN is wrong',
  AC03: 'The payee’s IBAN is wrong',
  AC04: 'The account is closed',
  AC05: 'The paying account is closed',
  AC06: 'The account is blocked',
  AC10: 'The paying account is in another currency',
  AC13: 'The paying account is of the wrong kind',
  AG01: 'The account doesn’t accept transfers',
  AG02: 'The bank doesn’t accept this kind of transfer',
  AM02: 'The amount is above what the bank allows',
  AM04: 'The paying account has too little money',
  AM05: 'The bank has this transfer already',
  AM09: 'The amount is wrong',
  BE01: 'The name doesn’t fit the account',
  BE04: 'The payee’s address is missing',
  CNOR: 'The payee’s bank can’t be reached',
  CUST: 'It was canceled on request',
  DUPL: 'The bank has this transfer already',
  ERIN: 'The bank doesn’t accept a part of the file',
  FF01: 'The bank couldn’t read the file',
  FOCR: 'It was called back',
  FRAD: 'It was called back as fraud',
  MD07: 'The payee has died',
  MS02: 'The payee refused it',
  MS03: 'The bank gave no reason',
  NARR: 'The bank gave a reason of its own',
  RC01: 'The BIC is wrong',
  RR01: 'The payer’s account is missing',
  RR02: 'The payer’s name or address is missing',
  RR03: 'The payee’s name or address is missing',
  RR04: 'The bank may not carry it out',
  TECH: 'The bank had a technical problem',
  TM01: 'The file came too late',
}

/** Returns the reason in words, with its code. */
export const formatReason = (code: string | null): string =>
  code === null ? 'no reason given' : reasons[code] ? `${reasons[code]} (${code})` : code

/** The status of a transfer by what its bank found when it compared the payee's name with the account's. */
const nameChecks = new Map<string | null, NameCheck['result']>([
  ['RVNM', 'no-match'],
  ['RVMC', 'close-match'],
  ['RVNA', 'not-checked'],
])

/** Returns what a bank found; a match is nothing to tell. */
export const findNameCheck = (status: string | null) => nameChecks.get(status) ?? null

/** Returns the first of these codes in a bank's text; words alone, such as TECH, are none. */
export const codeIn = (text: string): string | null =>
  text.match(/\b[A-Z]{2}\d\d\b/g)?.find((code) => Object.hasOwn(reasons, code)) ?? null

/** Reasons about the account that pays. */
const ofPayer = ['AC02', 'AC05', 'AC10', 'AC13']

/** Whether the reason is that the payee's account can't be paid; other reasons may pass. */
export const isOfDetails = (code: string | null): boolean => /^AC\d\d$/.test(code ?? '') && !ofPayer.includes(code!)

import {
  ACCOUNT,
  ACCOUNT_BUTTON,
  ANOTHER_PERSON,
  COMMENT,
  INVITE_BUTTON,
  LOG_IN,
  PASSWORD,
  SEARCH,
  SUPPORT,
  SUPPORT_BUTTON,
  UNSUBSCRIBE,
} from './words.ts'

// a bit for each of a form's texts, in their order (kinds.ts)
export const BUTTON = 1
export const ATTRIBUTES = 2
export const PATH = 4
export const EMAIL_NAME = 8
const EVERYWHERE = BUTTON | ATTRIBUTES | PATH

/** The forms that the script refuses for their words, as the owner’s check names them: `OTHERS` (words.ts) one by one. */
export const OTHER_FORMS = [
  ['log-in', EVERYWHERE, LOG_IN],
  ['password', EVERYWHERE, PASSWORD],
  ['account', ATTRIBUTES, ACCOUNT],
  ['account', BUTTON, ACCOUNT_BUTTON],
  ['unsubscribe', EVERYWHERE, UNSUBSCRIBE],
  ['invite', BUTTON, INVITE_BUTTON],
  ['support', ATTRIBUTES, SUPPORT],
  ['support', BUTTON, SUPPORT_BUTTON],
  ['comment', BUTTON | ATTRIBUTES, COMMENT],
  ['search', BUTTON | ATTRIBUTES, SEARCH],
  ['invite', EMAIL_NAME, ANOTHER_PERSON],
] as const

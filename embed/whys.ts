/**
 * The names of what a form can be, as the owner's check shows them. The script itself knows only the places in this list: sign-ups come
 * first, and each line of `OTHERS` (words.ts) has one at the end.
 */
export const WHYS = [
  'marked',
  'chosen',
  'all',
  'word',
  'no-clue',
  'off',
  'unmarked',
  'current-password',
  'one-password',
  'log-in',
  'password',
  'account',
  'account',
  'unsubscribe',
  'invite',
  'support',
  'support',
  'comment',
  'search',
  'invite',
] as const
export const MARKED = 0
export const CHOSEN = 1
export const ALL = 2
export const WORD = 3
export const NO_CLUE = 4
export const OFF = 5
export const UNMARKED = 6
export const CURRENT_PASSWORD = 7
export const ONE_PASSWORD = 8
export const FIRST_OTHER = 9

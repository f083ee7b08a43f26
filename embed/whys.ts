/**
 * The names of what a form can be, as the owner's check shows them, in the order in which they are tried. The script itself
 * knows only the places in this list; each line of `OTHERS` (words.ts) has one.
 */
export const WHYS = [
  'off',
  'current-password',
  'unmarked',
  'marked',
  'unmarked',
  'all',
  'chosen',
  'word',
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
  'one-password',
  'no-clue',
] as const
export const FIRST_OTHER = 8

/** Returns whether a place in the list is a sign-up. */
export const isSignUp = (kind: number) => [3, 5, 6, 7, 20].indexOf(kind) >= 0

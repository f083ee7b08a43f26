import type { Member } from '#contract/members.ts'

/** Returns what a person of a team or partner is called. */
export const nameOfPerson = ({ firstName, lastName, email }: Pick<Member, 'firstName' | 'lastName' | 'email'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || email

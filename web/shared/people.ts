import type { Member } from '#contract/members.ts'
import { basicWords } from '../words/basic.ts'
import { peopleWords } from '../words/people.ts'

/** Returns what a person of a team or partner is called. */
export const nameOfPerson = ({ firstName, lastName, email }: Pick<Member, 'firstName' | 'lastName' | 'email'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || email

/** Whether a person of a team has a second factor, in a word; a dash if unknown. */
export const factorWord = (secondFactor: Member['secondFactor']) =>
  secondFactor === null ? basicWords.absent : secondFactor ? peopleWords.on : peopleWords.off

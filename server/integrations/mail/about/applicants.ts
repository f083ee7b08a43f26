import { displayName } from '../../../program/partner-directory/partner-names.ts'
import { applicantMailPhrases } from '../applicant-text.ts'
import { nameOr } from '../message.ts'
import { mailPhrases } from '../text.ts'

type Named = { email: string; firstName: string | null; lastName: string | null }

/** A person as a text of the account names them. */
export const toAddressee = (person: Named) => ({ firstName: person.firstName, name: displayName(person) })

export const buildGreeting = (firstName: string | null) => {
  const name = nameOr(firstName, '')
  return name ? mailPhrases.helloTo({ name }) : mailPhrases.hello
}

/** A letter to a person who applied to an account with this name. */
export const toApplicant = (account: string | null) => ({
  account,
  inItsLook: true as const,
  because: applicantMailPhrases.because({ account: nameOr(account, mailPhrases.aProgram) }),
})

import { nameOr } from '../message.ts'

export const buildGreeting = (firstName: string | null) => {
  const name = nameOr(firstName, '')
  return name ? `Hello ${name},` : 'Hello,'
}

/** A letter to a person who applied to an account with this name. */
export const toApplicant = (account: string | null) => ({
  account,
  inItsLook: true as const,
  because: `You get this email because someone entered this address to become a partner of ${nameOr(account, 'a program')}.`,
})

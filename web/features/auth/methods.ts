import { getSignInMethods, type SignInMethods } from '#contract/second-factor.ts'
import { call } from '../../api.ts'

let asked: Promise<SignInMethods> | undefined

/** Asks once which ways to sign in the server offers at this address. */
export function signInMethods(): Promise<SignInMethods> {
  asked ??= call(getSignInMethods).catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

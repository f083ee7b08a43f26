import { getSignInMethods, type SignInMethods } from '#contract/second-factor.ts'
import { callApi } from '../../api.ts'

let pending: Promise<SignInMethods> | undefined

/** Asks once which ways to sign in the server offers at this address. */
export function signInMethods(): Promise<SignInMethods> {
  pending ??= callApi(getSignInMethods).catch((error: unknown) => {
    pending = undefined
    throw error
  })
  return pending
}

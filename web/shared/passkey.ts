import { type PasskeyAssertion, type PasskeyCreation, startPasskey } from '#contract/second-factor.ts'
import { callApi } from '../api.ts'

/** Loaded once it is needed: the sign-in screens stay small. */
const browser = () => import('@simplewebauthn/browser')

/** The person closed the browser's dialog, has no passkey here, or has this one already. */
const isGivenUp = (error: unknown) =>
  error instanceof Error && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name)

async function orGivenUp<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (isGivenUp(error)) return null
    throw error
  }
}

type Options = { challenge: string }

/** Asks the browser for a passkey, for signing in or confirming; null if the person gave up. */
export async function requestPasskey(): Promise<PasskeyAssertion | null> {
  const options: Options = await callApi(startPasskey)
  const { startAuthentication } = await browser()
  const made = await orGivenUp(startAuthentication({ optionsJSON: options }))
  // no extension was requested
  return made && { ...made, clientExtensionResults: {} }
}

/** Lets the browser make a passkey; null if the person gave up. */
export async function makePasskey(options: Options): Promise<PasskeyCreation | null> {
  const { startRegistration } = await browser()
  const made = await orGivenUp(
    startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  )
  return made && { ...made, clientExtensionResults: {} }
}

import { useEffect, useState } from 'react'
import { acceptUserSetup, finishOidc, type Session } from '#contract/auth.ts'
import { CallError, callApi } from '../../api.ts'
import { beginSession } from '../../session.ts'
import { consumeBegun } from '../../shared/single-sign-on.ts'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { StandaloneCard, StandaloneLinks } from '../../ui/StandaloneCard.tsx'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { navigateTo, SignInLink } from './navigation.tsx'

/** The issuer's answer, taken out of the address bar at once: it works once, for this tab. */
function consumeAnswer() {
  const { code, state, iss } = Object.fromEntries(new URLSearchParams(location.search))
  history.replaceState(null, '', location.pathname)
  return { code, state, iss, begun: consumeBegun() }
}

/** The screen to which single sign-on returns: signs in, or confirms the signed-in person, and continues. */
export function SigningIn() {
  const [answer] = useState(consumeAnswer)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const { code, state, iss, begun } = answer
    if (!code || !state || !begun) return setFailure(authWords.oidcFailed)
    const { secret, to, accept } = begun
    once(async () => {
      const session: Session | undefined = await callApi(finishOidc, {
        body: { code, state, secret, ...(iss && { iss }) },
      })
      // a fresh proof returns no session: the present one stays
      if (session) beginSession(session)
      if (accept) await callApi(acceptUserSetup, { body: { token: accept } })
      navigateTo(to)
    }, state).catch((error) => {
      if (!(error instanceof CallError)) throw error
      setFailure(explainRefusal(error))
    })
  }, [answer])
  return (
    <StandaloneCard heading={basicWords.pages.signingIn}>
      {failure ? (
        <>
          <Message kind="error" answers={1}>
            {failure}
          </Message>
          <StandaloneLinks>
            <SignInLink to="/auth/sign-in">{authWords.backToSignIn}</SignInLink>
          </StandaloneLinks>
        </>
      ) : (
        <Skeleton rows={2} />
      )}
    </StandaloneCard>
  )
}

const running = new Map<string, Promise<void>>()

/** Runs the work for a state once, though an effect may run twice. */
function once(work: () => Promise<void>, state: string) {
  const known = running.get(state) ?? work()
  running.set(state, known)
  return known
}

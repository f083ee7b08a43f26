import { useEffect, useState } from 'react'
import { signIn, signInByLink } from '#contract/auth.ts'
import { CallError, callApi } from '../../api.ts'
import { HOME, readSession, safeReturnPath } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal, FormFrame, PasswordField, SubmitButton, TextField } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { email, required, useForm, useSend } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { dropLinkToken, navigateTo, SignInLink, useLinkToken } from './navigation.tsx'
import { OtherWays, SecondStep, useEntry } from './second-step.tsx'

const returnPath = () => safeReturnPath(new URLSearchParams(location.search).get('return'), location.origin)

/** Signs in by email and password, or by a one-time mailed link. */
export function SignIn() {
  const token = useLinkToken()
  const [expired, setExpired] = useState(false)
  if (token && !expired) {
    const expire = () => {
      dropLinkToken()
      setExpired(true)
    }
    return <ByLink key={token} token={token} onExpired={expire} />
  }
  return <ByPassword expired={expired} />
}

/** Requires a press of the button: mail scanners follow links and would use it up. */
function ByLink({ token, onExpired }: { token: string; onExpired: () => void }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const onEntered = () => {
    dropLinkToken()
    navigateTo(HOME)
  }
  const { asked, start } = useEntry(onEntered)
  async function enter() {
    setBusy(true)
    try {
      await start((code) => callApi(signInByLink, { body: { token, ...(code !== undefined && { code }) } }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // 422: not a token of ours
      if ([401, 422].includes(error.status)) return onExpired()
      setBusy(false)
      setFailure(explainRefusal(error))
    }
  }
  return (
    <StandaloneCard heading={basicWords.pages.signIn}>
      {failure && (
        <Message kind="error" answers={1}>
          {failure}
        </Message>
      )}
      {asked ? (
        <SecondStep asked={asked} onEntered={onEntered} />
      ) : (
        <>
          <StandaloneText>{authWords.byLink}</StandaloneText>
          <Button look="primary" block busy={busy} onClick={enter}>
            {authWords.signIn}
          </Button>
        </>
      )}
    </StandaloneCard>
  )
}

function ByPassword({ expired }: { expired: boolean }) {
  useEffect(() => {
    if (readSession()) navigateTo(returnPath())
  }, [])

  const form = useForm({
    initial: { email: '', password: '' },
    rules: { email: [required, email], password: [required] },
    explain: (error) => (error.code === 'invalid_credentials' ? basicWords.errors.credentials : undefined),
    retryAt: 'password',
  })
  const onEntered = () => navigateTo(returnPath())
  const { asked, start } = useEntry(onEntered)
  const enter = useSend((body: { email: string; password: string }) =>
    start((code) => callApi(signIn, { body: { ...body, ...(code !== undefined && { code }) } })),
  )
  if (asked)
    return (
      <StandaloneCard heading={basicWords.pages.signIn}>
        <SecondStep asked={asked} onEntered={onEntered} />
      </StandaloneCard>
    )

  return (
    <StandaloneCard heading={basicWords.pages.signIn} below={authWords.noAccount}>
      {expired && <Message kind="error">{basicWords.errors.linkExpired}</Message>}
      <FormFrame form={form} save={enter} label={basicWords.pages.signIn} onSubmit={enter.send}>
        <TextField {...form.field('email', basicWords.fields.email)} type="email" autoComplete="username" />
        <PasswordField {...form.field('password', basicWords.fields.password)} autoComplete="current-password" />
        <SubmitButton block>{authWords.signIn}</SubmitButton>
      </FormFrame>
      <OtherWays to={returnPath} onEntered={onEntered} />
      <StandaloneLinks>
        <SignInLink to="/auth/reset-password">{authWords.forgot}</SignInLink>
      </StandaloneLinks>
    </StandaloneCard>
  )
}

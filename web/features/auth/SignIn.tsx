import { useEffect, useState } from 'react'
import { signIn, signInByLink } from '#contract/auth.ts'
import { CallError, call } from '../../api.ts'
import { keepSession, readSession, safeReturnPath } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import {
  email,
  explainRefusal,
  PasswordField,
  PlainForm,
  required,
  SubmitButton,
  TextField,
  useForm,
} from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { t } from '../../words.ts'
import { dropLinkToken, go, SignInLink, useLinkToken } from './navigation.tsx'

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
  async function enter() {
    setBusy(true)
    try {
      keepSession(await call(signInByLink, { body: { token } }))
      dropLinkToken()
      go('/')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // 422: not a token of ours
      if ([401, 422].includes(error.status)) return onExpired()
      setBusy(false)
      setFailure(explainRefusal(error))
    }
  }
  return (
    <StandaloneCard heading={t('pages.signIn')}>
      {failure && (
        <Message kind="error" answers={1}>
          {failure}
        </Message>
      )}
      <StandaloneText>{t('auth.byLink')}</StandaloneText>
      <Button look="primary" block busy={busy} onClick={enter}>
        {t('auth.signIn')}
      </Button>
    </StandaloneCard>
  )
}

function ByPassword({ expired }: { expired: boolean }) {
  useEffect(() => {
    if (readSession()) go(returnPath())
  }, [])

  const form = useForm({
    initial: { email: '', password: '' },
    fields: {
      email: { label: t('fields.email'), rules: [required, email] },
      password: { label: t('fields.password'), rules: [required] },
    },
    async send({ email, password }) {
      keepSession(await call(signIn, { body: { email, password } }))
      go(returnPath())
    },
    explain: (error) => (error.code === 'invalid_credentials' ? t('errors.credentials') : undefined),
    retryAt: 'password',
  })

  return (
    <StandaloneCard heading={t('pages.signIn')} below={t('auth.noAccount')}>
      {expired && <Message kind="error">{t('errors.linkExpired')}</Message>}
      <PlainForm form={form} label={t('pages.signIn')}>
        <TextField {...form.field('email')} type="email" autoComplete="username" />
        <PasswordField {...form.field('password')} autoComplete="current-password" />
        <SubmitButton block>{t('auth.signIn')}</SubmitButton>
      </PlainForm>
      <StandaloneLinks>
        <SignInLink to="/auth/reset-password">{t('auth.forgot')}</SignInLink>
      </StandaloneLinks>
    </StandaloneCard>
  )
}

import { useState } from 'react'
import { changePassword, resetPassword } from '#contract/auth.ts'
import { CallError, call } from '../../api.ts'
import { keepSession } from '../../session.ts'
import {
  email,
  newPassword,
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
import { repeated } from './rules.ts'

export function ResetPassword() {
  const token = useLinkToken()
  const [expired, setExpired] = useState(false)
  if (token && !expired) {
    const expire = () => {
      dropLinkToken()
      setExpired(true)
    }
    return <NewPassword key={token} token={token} onExpired={expire} />
  }
  return <AskForLink expired={expired} />
}

function AskForLink({ expired }: { expired: boolean }) {
  const [sent, setSent] = useState(false)
  const form = useForm({
    initial: { email: '' },
    fields: { email: { label: t('fields.email'), rules: [required, email] } },
    async send({ email }) {
      setSent(false)
      await call(resetPassword, { body: { email } })
      setSent(true)
    },
  })
  return (
    <StandaloneCard heading={t('pages.resetPassword')}>
      {expired && !sent && <Message kind="error">{t('errors.linkExpired')}</Message>}
      {sent && (
        <Message kind="success" answers={1}>
          {t('auth.resetSent')}
        </Message>
      )}
      {!sent && <StandaloneText>{t('auth.resetHelp')}</StandaloneText>}
      <PlainForm form={form} label={t('pages.resetPassword')}>
        <TextField {...form.field('email')} type="email" autoComplete="username" />
        <SubmitButton block>{t('auth.sendResetLink')}</SubmitButton>
      </PlainForm>
      <StandaloneLinks>
        <SignInLink to="/auth/sign-in">{t('auth.backToSignIn')}</SignInLink>
      </StandaloneLinks>
    </StandaloneCard>
  )
}

function NewPassword({ token, onExpired }: { token: string; onExpired: () => void }) {
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    fields: {
      password: { label: t('fields.newPassword'), rules: [required, newPassword] },
      confirmPassword: { label: t('fields.confirmPassword'), rules: [required, repeated] },
    },
    async send({ password }) {
      try {
        keepSession(await call(changePassword, { body: { password }, token }))
        dropLinkToken()
        go('/')
      } catch (error) {
        if (error instanceof CallError && error.status === 401) onExpired()
        else throw error
      }
    },
  })
  return (
    <StandaloneCard heading={t('pages.chooseNewPassword')}>
      <PlainForm form={form} label={t('auth.changePassword')}>
        <PasswordField {...form.field('password')} autoComplete="new-password" help={t('fields.passwordHelp')} />
        <PasswordField {...form.field('confirmPassword')} autoComplete="new-password" />
        <SubmitButton block>{t('auth.changePassword')}</SubmitButton>
      </PlainForm>
    </StandaloneCard>
  )
}

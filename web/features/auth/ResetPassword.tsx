import { useState } from 'react'
import { changePassword, resetPassword } from '#contract/auth.ts'
import { CallError, call } from '../../api.ts'
import { keepSession } from '../../session.ts'
import { EntryCard, EntryLinks, EntryText } from '../../ui/EntryCard.tsx'
import { email, Form, newPassword, PasswordField, required, SubmitButton, TextField, useForm } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { t } from '../../words.ts'
import { dropLinkToken, EntryLink, go, useLinkToken } from './navigation.tsx'
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
    <EntryCard heading={t('pages.resetPassword')}>
      {expired && !sent && <Message kind="error">{t('errors.linkExpired')}</Message>}
      {sent && (
        <Message kind="success" answers={1}>
          {t('auth.resetSent')}
        </Message>
      )}
      {!sent && <EntryText>{t('auth.resetHelp')}</EntryText>}
      <Form form={form} label={t('pages.resetPassword')}>
        <TextField {...form.field('email')} type="email" autoComplete="username" />
        <SubmitButton block>{t('auth.sendResetLink')}</SubmitButton>
      </Form>
      <EntryLinks>
        <EntryLink to="/auth/sign-in">{t('auth.backToSignIn')}</EntryLink>
      </EntryLinks>
    </EntryCard>
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
    <EntryCard heading={t('pages.chooseNewPassword')}>
      <Form form={form} label={t('auth.changePassword')}>
        <PasswordField {...form.field('password')} autoComplete="new-password" help={t('fields.passwordHelp')} />
        <PasswordField {...form.field('confirmPassword')} autoComplete="new-password" />
        <SubmitButton block>{t('auth.changePassword')}</SubmitButton>
      </Form>
    </EntryCard>
  )
}

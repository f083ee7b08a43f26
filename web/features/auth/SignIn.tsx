import { useEffect } from 'react'
import { signIn } from '#contract/auth.ts'
import { call } from '../../api.ts'
import { keepSession, readSession, safeReturnPath } from '../../session.ts'
import { email, Form, PasswordField, required, SubmitButton, TextField, useForm } from '../../ui/form.tsx'
import { t } from '../../words.ts'
import { EntryCard, EntryLinks } from './EntryCard.tsx'
import { EntryLink, go } from './navigation.tsx'

const returnPath = () => safeReturnPath(new URLSearchParams(location.search).get('return'), location.origin)

export function SignIn() {
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
    <EntryCard heading={t('pages.signIn')} below={t('auth.noAccount')}>
      <Form form={form} label={t('pages.signIn')}>
        <TextField {...form.field('email')} type="email" autoComplete="username" />
        <PasswordField {...form.field('password')} autoComplete="current-password" />
        <SubmitButton block>{t('auth.signIn')}</SubmitButton>
      </Form>
      <EntryLinks>
        <EntryLink to="/auth/reset-password">{t('auth.forgot')}</EntryLink>
      </EntryLinks>
    </EntryCard>
  )
}

import { Link } from '@tanstack/react-router'
import { createAccount, NewAccount as NewAccountBody } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { currencyChoices } from '../../ui/currencies.ts'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

/** Makes an account and invites its owner; the account's page then shows how the invitation stands. */
export function NewAccount() {
  const leave = useLeaveForm()
  const form = useContractForm(NewAccountBody, {
    initial: {
      name: '',
      defaultCurrency: 'usd' as string | null,
      owner: { email: '', firstName: '', lastName: '' },
    },
    optional: ['owner'],
  })
  const { owner } = form.values
  const save = useCall(createAccount, {
    onSuccess({ id }) {
      toast(t('toast.added', { resource: t('admin.resource') }))
      return leave({ to: '/admin/accounts/$accountId', params: { accountId: id } })
    },
  })
  return (
    <Page heading={t('pages.addAccount')} parent={<Link to="/admin/accounts">{t('pages.accounts')}</Link>}>
      <Form form={form} save={save} label={t('pages.addAccount')} onSubmit={(body) => save.mutate({ body })}>
        <FormPanel>
          <TextField
            {...form.field('name', t('admin.accountName'))}
            autoComplete="off"
            help={t('admin.accountNameHelp')}
            optional
          />
          <SelectField
            {...form.field('defaultCurrency', t('admin.currency'))}
            choices={currencyChoices()}
            help={t('admin.currencyHelp')}
          />
        </FormPanel>
        <FormPanel heading={t('admin.owner')}>
          <TextField
            {...form.field('owner.email', t('admin.ownerEmail'))}
            type="email"
            autoComplete="off"
            help={t('admin.ownerHelp')}
            optional={!owner.firstName && !owner.lastName}
          />
          <FieldPair>
            <TextField {...form.field('owner.firstName', t('admin.ownerFirstName'))} autoComplete="off" optional />
            <TextField {...form.field('owner.lastName', t('admin.ownerLastName'))} autoComplete="off" optional />
          </FieldPair>
        </FormPanel>
        <FormActions submit={t('pages.addAccount')} cancel={{ to: '/admin/accounts' }} />
      </Form>
    </Page>
  )
}

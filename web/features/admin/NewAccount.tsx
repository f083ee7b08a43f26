import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createAccount, NewAccount as NewAccountBody } from '#contract/accounts.ts'
import { Rate } from '#contract/values.ts'
import { me, useCall } from '../../calls.ts'
import { timeZoneHere } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { rememberRole } from '../../shared/roles.ts'
import { zoneChoices } from '../../shared/time-zones.ts'
import { useMe } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { CheckboxField, FieldPair, RateField, SelectField, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { showToast } from '../../ui/toasts.ts'
import { adminWords } from '../../words/admin.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { anyAccount } from './queries.ts'

/** The form has one rate, the referring partner's; the owner adds further layers in the settings. */
const Entered = NewAccountBody.omit({ defaultCommissionSettings: true }).extend({ commission: Rate.optional() })

export function NewAccount() {
  const { data, isPending } = useQuery(anyAccount)
  return (
    <Page heading={pageWords.addAccount} parent={<Link to="/admin/accounts">{pageWords.accounts}</Link>}>
      {isPending ? (
        <Panel>
          <Skeleton rows={8} />
        </Panel>
      ) : (
        <Fields first={data?.total === 0} />
      )}
    </Page>
  )
}

/**
 * Creates an account and invites its owner, then opens the account's page with the invitation's status. An
 * administrator who enters their own address, as is usual for the first account, continues as its owner.
 */
function Fields({ first }: { first: boolean }) {
  const user = useMe()
  const client = useQueryClient()
  const leave = useLeaveForm()
  const nobody = { email: '', firstName: '', lastName: '' }
  const myself = { ...nobody, email: user.email }
  const form = useContractForm(Entered, {
    initial: {
      name: '',
      defaultCurrency: 'usd' as string | null,
      timeZone: timeZoneHere() as string | null,
      commission: '' as number | string,
      owner: first ? myself : nobody,
    },
    optional: ['owner'],
  })
  const { owner } = form.values
  const mine = owner.email.trim().toLowerCase() === user.email
  const save = useCall(createAccount, {
    async onSuccess({ id, owner, ownerInvitation }) {
      showToast(toastWords.added({ resource: fieldWords.account }))
      if (owner?.id !== user.id || ownerInvitation)
        return leave({ to: '/admin/accounts/$accountId', params: { accountId: id } })
      const { roles } = await client.fetchQuery({ ...me, staleTime: 0 })
      const role = roles.find((role) => role.type === 'account-owner' && role.accountId === id)
      if (role) rememberRole(role)
      return leave({ to: '/dashboard', state: { role } })
    },
  })
  return (
    <Form
      form={form}
      save={save}
      label={pageWords.addAccount}
      onSubmit={({ commission, ...body }) =>
        save.mutate({
          body: {
            ...body,
            ...(commission !== undefined && { defaultCommissionSettings: { layerRates: [commission] } }),
          },
        })
      }
    >
      <FormPanel>
        <TextField
          {...form.field('name', basicWords.fields.accountName)}
          autoComplete="off"
          help={adminWords.accountNameHelp}
          optional
        />
        <SelectField
          {...form.field('defaultCurrency', basicWords.fields.defaultCurrency)}
          choices={currencyChoices()}
          help={adminWords.currencyHelp}
        />
        <SelectField {...form.field('timeZone')} choices={zoneChoices(timeZoneHere())} help={adminWords.timeZoneHelp} />
        <RateField
          {...form.field('commission', basicWords.fields.commission)}
          help={adminWords.commissionHelp}
          optional
        />
      </FormPanel>
      <FormPanel heading={fieldWords.owner}>
        <CheckboxField
          {...form.field('owner', adminWords.mine)}
          value={mine}
          help={mine && adminWords.mineHelp}
          error={undefined}
          onChange={(checked) => form.set({ owner: checked ? myself : nobody })}
        />
        <TextField
          {...form.field('owner.email', adminWords.ownerEmail)}
          type="email"
          autoComplete="off"
          help={!mine && adminWords.ownerHelp}
          optional={!owner.firstName && !owner.lastName}
        />
        {!(mine && (user.firstName || user.lastName)) && (
          <FieldPair>
            <TextField {...form.field('owner.firstName', adminWords.ownerFirstName)} autoComplete="off" optional />
            <TextField {...form.field('owner.lastName', adminWords.ownerLastName)} autoComplete="off" optional />
          </FieldPair>
        )}
      </FormPanel>
      <FormActions submit={pageWords.addAccount} cancel={{ to: '/admin/accounts' }} />
    </Form>
  )
}

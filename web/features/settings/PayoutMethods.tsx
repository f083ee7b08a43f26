import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { sepaCountries } from '#contract/payout-details.ts'
import {
  changeAutoPayoutSettings,
  fileBookings,
  getPayoutMethods,
  type PayoutMethods as MethodsOf,
  PayPalApp,
  removePayPalMethod,
  removeSepaMethod,
  reorderPayoutMethods,
  SepaDebtor,
  savePayPalMethod,
  saveSepaMethod,
} from '#contract/payout-settings.ts'
import { useCall } from '../../calls.ts'
import { countryChoices } from '../../format.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { payoutMethodsQuery } from '../../shared/queries.ts'
import { defineAction } from '../../ui/act.tsx'
import { useStart } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/fields.tsx'
import { explainRefusal, PasswordField } from '../../ui/form.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { required } from '../../ui/use-form.ts'
import { wayWords as words } from '../../words/payout-methods.ts'
import { EuroAddressFields } from './EuroAddressFields.tsx'

type PayoutMethodRow = MethodsOf['methods'][number]
type Props = { account: Account }

/** The payout methods, in order; a payout takes the first that reaches its partner. */
export function PayoutMethods({ account }: Props) {
  const may = usePermission()(getPayoutMethods)
  const answer = useQuery({ ...payoutMethodsQuery(account.id), enabled: may })
  if (!may) return <OnlyRead needs={getPayoutMethods} />
  return (
    <PendingPanel heading={words.heading} answer={answer} rows={4}>
      {({ methods }) => (
        <>
          <p className="muted small inset">{words.help}</p>
          <Table account={account} methods={methods} />
        </>
      )}
    </PendingPanel>
  )
}

function Table({ account, methods }: Props & { methods: PayoutMethodRow[] }) {
  const start = useStart()
  const router = useRouter()
  const order = useCall(reorderPayoutMethods, { onSuccess: () => showToast(words.moved) })
  const on = methods.filter((way) => way.on && way.name !== 'manual').map(({ name }) => name as Ordered)

  function moveUp(name: PayoutMethodRow['name']) {
    const at = on.indexOf(name as Ordered)
    const next = on.with(at - 1, on[at]!).with(at, on[at - 1]!)
    order.mutate({ params: { id: account.id }, body: { order: next } })
  }

  const wayOf = (name: Ordered) => methods.find((way) => way.name === name)!
  const setUps: Partial<Record<PayoutMethodRow['name'], () => void>> = {
    wise: () => void router.navigate({ to: '/account/settings', search: { tab: 'payouts' } }),
    paypal: () => start(SetUpPayPal, { ...account, ...wayOf('paypal') }),
    ...(account.defaultCurrency === 'eur' && { sepa: () => start(SetUpSepa, { ...account, ...wayOf('sepa') }) }),
  }
  const removals: Partial<Record<PayoutMethodRow['name'], () => void>> = {
    paypal: () => start(RemovePayPal, account),
    sepa: () => start(RemoveSepa, account),
  }

  return (
    <>
      {order.error && <Message kind="error">{explainRefusal(order.error)}</Message>}
      <PlainTable
        label={words.heading}
        rows={methods}
        keyOf={({ name }) => name}
        columns={[
          {
            head: words.way,
            cell: ({ name, hint }) => (
              <>
                <span className="strong">{words.names[name]}</span> {hint && <code>{hint}</code>}
              </>
            ),
          },
          {
            head: words.reaches,
            cell: ({ name, trouble }) => (trouble ? <span className="wrap">{trouble}</span> : words.reach[name]),
            wideOnly: true,
          },
          { head: words.state, cell: (way) => <State way={way} /> },
          {
            head: words.actions,
            headHidden: true,
            cell: ({ name, on: isOn }) => {
              const way = words.names[name]
              const setUp = setUps[name]
              const remove = removals[name]
              if (name === 'manual') return null
              if (!isOn)
                return setUp ? (
                  <Button small needs={calls[name].save} aria-label={words.setUpWay({ way })} onClick={setUp}>
                    {words.setUp}
                  </Button>
                ) : (
                  <span className="muted small">{words.eurosOnly}</span>
                )
              return (
                <div className="row">
                  {on.indexOf(name) > 0 && (
                    <Button
                      small
                      needs={reorderPayoutMethods}
                      aria-label={words.moveWayUp({ way })}
                      busy={order.busy}
                      onClick={() => moveUp(name)}
                    >
                      {words.moveUp}
                    </Button>
                  )}
                  {setUp && name !== 'wise' && (
                    <Button small needs={calls[name].save} aria-label={words.changeWay({ way })} onClick={setUp}>
                      {words.change}
                    </Button>
                  )}
                  {remove && (
                    <Button
                      small
                      look="remove"
                      needs={calls[name].remove}
                      aria-label={words.removeWay({ way })}
                      onClick={remove}
                    >
                      {words.remove}
                    </Button>
                  )}
                </div>
              )
            },
          },
        ]}
      />
    </>
  )
}

type Ordered = Exclude<PayoutMethodRow['name'], 'manual'>

/** The calls that set up each way and remove it. */
const calls = {
  wise: { save: changeAutoPayoutSettings, remove: changeAutoPayoutSettings },
  paypal: { save: savePayPalMethod, remove: removePayPalMethod },
  sepa: { save: saveSepaMethod, remove: removeSepaMethod },
} as const

function State({ way: { name, on, ready } }: { way: PayoutMethodRow }) {
  if (name === 'manual') return <Badge tone="done">{words.always}</Badge>
  if (!on) return <Badge tone="waits">{words.off}</Badge>
  return ready ? <Badge tone="done">{words.connected}</Badge> : <Badge tone="needs">{words.attention}</Badge>
}

const SetUpSepa = defineFormAction(
  saveSepaMethod,
  SepaDebtor,
  ({ booking }: Pick<Account, 'id'> & PayoutMethodRow) => ({
    heading: words.sepa.heading,
    why: words.sepa.why,
    submit: words.sepa.submit,
    done: words.sepa.done,
    initial: {
      name: '',
      iban: '',
      bic: '',
      address: { country: null as string | null, city: '', addressLine: '', zipCode: '' },
      booking: booking ?? 'single',
    },
    fields: (form) => (
      <>
        <TextField {...form.field('name', words.sepa.name)} autoComplete="organization" />
        <TextField {...form.field('iban', words.sepa.iban)} autoCapitalize="characters" spellCheck={false} />
        <TextField {...form.field('bic', words.sepa.bic)} autoCapitalize="characters" spellCheck={false} optional />
        <EuroAddressFields form={form} countries={countryChoices(sepaCountries)} />
        <SelectField
          {...form.field('booking', words.sepa.booking)}
          help={words.sepa.bookingHelp}
          choices={fileBookings.map((value) => ({ value, label: words.sepa.bookings[value] }))}
        />
      </>
    ),
  }),
)

const RemoveSepa = defineAction(removeSepaMethod, (_: Account) => ({
  heading: words.sepa.remove,
  why: words.sepa.removeWhy,
  keep: words.sepa.keep,
  danger: true,
  done: words.sepa.removed,
}))

const SetUpPayPal = defineFormAction(
  savePayPalMethod,
  PayPalApp,
  ({ on, automatic }: Pick<Account, 'id'> & PayoutMethodRow) => ({
    heading: words.paypal.heading,
    why: words.paypal.why,
    submit: words.paypal.submit,
    done: words.paypal.done,
    initial: { clientId: '', clientSecret: '', automatic },
    check: (values) =>
      on
        ? {}
        : {
            clientId: required(values.clientId, words.paypal.clientId, values),
            clientSecret: required(values.clientSecret, words.paypal.secret, values),
          },
    fields: ({ field }) => (
      <>
        <TextField
          {...field('clientId', words.paypal.clientId)}
          help={on ? words.paypal.kept : undefined}
          autoComplete="off"
          spellCheck={false}
          optional={on}
        />
        <PasswordField {...field('clientSecret', words.paypal.secret)} autoComplete="off" optional={on} />
        <SwitchField {...field('automatic', words.paypal.automatic)} help={words.paypal.automaticHelp} />
      </>
    ),
  }),
)

const RemovePayPal = defineAction(removePayPalMethod, (_: Account) => ({
  heading: words.paypal.remove,
  why: words.paypal.removeWhy,
  keep: words.paypal.keep,
  danger: true,
  done: words.paypal.removed,
}))

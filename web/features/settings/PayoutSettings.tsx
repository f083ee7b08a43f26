import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Account, AccountChange, changeAccount, payoutDelays } from '#contract/accounts.ts'
import { addDays, hourIn } from '#contract/days.ts'
import { rights } from '#contract/endpoint.ts'
import { type Paydays, paydaysInWords } from '#contract/paydays.ts'
import {
  type AutoPayoutSettings,
  AutoPayoutSettingsChange,
  changeAutoPayoutSettings,
  getAutoPayoutSettings,
} from '#contract/payout-settings.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { formatDate, formatMoney, todayIn } from '../../format.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { paydaysLabel } from '../../shared/paydays.ts'
import { autoPayoutsQuery, payoutMethodsQuery, payoutTotalsQuery } from '../../shared/queries.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FieldPair, MoneyField, SelectField, SwitchField, Toggle } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel, TextPlaceholder } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { wayWords } from '../../words/payout-methods.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { twoApprovalsWords } from '../../words/two-approvals.ts'
import { wiseWords } from '../../words/wise.ts'
import { nextRunDay } from './days.ts'
import { Effect, showSaved } from './form.tsx'
import { PaydayFields } from './PaydayFields.tsx'
import { PendingLimits } from './PendingLimits.tsx'
import { useWiseProfiles, WiseProfiles } from './WiseProfiles.tsx'

/** When and how partners are paid. */
export function PayoutSettings({ account }: { account: Account }) {
  const may = usePermission()
  const answer = useQuery({ ...autoPayoutsQuery(account.id), enabled: may(getAutoPayoutSettings) })
  const { data } = answer
  if (!may(getAutoPayoutSettings)) return <OnlySums account={account} />
  if (data) return <PayoutsForm account={account} auto={data} />
  return (
    <TwoColumns form aside={null}>
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    </TwoColumns>
  )
}

/** For roles that may not read the source of the money. */
function OnlySums({ account: { payoutDelay, minimumPayout, paydays, defaultCurrency } }: { account: Account }) {
  return (
    <>
      <OnlyRead needs={{ allow: rights.pay }} />
      <Panel heading={settingsWords.whenPaid}>
        <Facts
          label={settingsWords.whenPaid}
          facts={[
            { label: settingsWords.delay, value: settingsWords.days({ count: payoutDelay }) },
            { label: fieldWords.minimumPayout, value: formatMoney(minimumPayout, defaultCurrency) },
            { label: fieldWords.paydays, value: paydaysLabel(paydays) },
          ]}
        />
      </Panel>
    </>
  )
}

/** One form for two calls: the account's settings and those of automatic payouts. */
const PayoutSettingsForm = AccountChange.pick({ payoutDelay: true, minimumPayout: true, paydays: true }).extend(
  AutoPayoutSettingsChange.shape,
)

type Delay = (typeof payoutDelays)[number]

const valuesOf = ({ payoutDelay, minimumPayout, paydays }: Account, auto: AutoPayoutSettings) => ({
  payoutDelay: payoutDelay as Delay,
  minimumPayout: minimumPayout as number | string,
  paydays,
  maxPerPayout: (auto.maxPerPayout ?? '') as number | string,
  maxPerRun: (auto.maxPerRun ?? '') as number | string,
  approvalsAboveCeiling: auto.approvalsAboveCeiling,
  enabled: auto.enabled,
  wiseToken: '',
  wiseProfileId: auto.wiseProfile?.id ?? null,
})

function PayoutsForm({ account, auto }: { account: Account; auto: AutoPayoutSettings }) {
  const wise = useWiseProfiles(auto)
  const form = useContractForm(PayoutSettingsForm, {
    initial: valuesOf(account, auto),
    check: ({ enabled, wiseProfileId }) =>
      enabled && !wiseProfileId
        ? { [wise.entering || wise.profiles.length === 0 ? 'wiseToken' : 'wiseProfileId']: settingsWords.chooseProfile }
        : {},
  })
  const saveAuto = useCall(changeAutoPayoutSettings)
  const saveAccount = useCall(changeAccount)
  const working = useRef(false)
  const currency = account.defaultCurrency

  /** Saves Wise's part first: if it is refused, nothing is half saved. */
  async function save(changes: Partial<ReturnType<typeof PayoutSettingsForm.parse>>) {
    if (working.current) return
    working.current = true
    const { payoutDelay, minimumPayout, paydays, ...rest } = changes
    const params = { id: account.id }
    try {
      const nextAuto = Object.keys(rest).length ? await saveAuto.send({ params, body: rest }) : auto
      const own = {
        ...(payoutDelay !== undefined && { payoutDelay }),
        ...(minimumPayout !== undefined && { minimumPayout }),
        ...(paydays !== undefined && { paydays }),
      }
      const next = Object.keys(own).length ? await saveAccount.send({ params, body: own }) : account
      if (!form.editedSince('wiseToken', 'wiseProfileId')) wise.restart(nextAuto)
      form.saved(valuesOf(next, nextAuto))
      showSaved()
    } catch (error) {
      // Shown from the call that was refused.
      if (!(error instanceof CallError)) throw error
    } finally {
      working.current = false
    }
  }

  function restart(next: Account, nextAuto: AutoPayoutSettings) {
    form.restart(valuesOf(next, nextAuto))
    wise.restart(nextAuto)
  }

  const delay = form.field('payoutDelay', settingsWords.delay)
  const enabled = form.field('enabled', fieldWords.autoPayoutsEnabled)
  const approvals = form.field('approvalsAboveCeiling', twoApprovalsWords.label)
  const paydays = form.field('paydays', fieldWords.paydays)
  const { payoutDelay } = form.values
  return (
    <TwoColumns
      form
      aside={
        <PayoutEffect
          account={account}
          delay={payoutDelay}
          on={enabled.value}
          wasOn={auto.enabled}
          paydays={paydays.value}
        />
      }
    >
      <Form
        form={form}
        save={{
          busy: saveAuto.busy || saveAccount.busy,
          error: saveAuto.error ?? saveAccount.error,
          saved: saveAccount.saved,
        }}
        label={pageWords.settings}
        onSubmit={(_, changes) => save(changes)}
      >
        <FormPanel heading={settingsWords.whenPaid}>
          <FieldPair>
            <SelectField
              {...delay}
              value={String(delay.value)}
              choices={payoutDelays.map((days) => ({
                value: String(days),
                label: settingsWords.days({ count: days }),
              }))}
              help={settingsWords.delayHelp}
              onChange={(days) => delay.onChange(Number(days) as Delay)}
            />
            <MoneyField {...form.field('minimumPayout')} currency={currency} help={settingsWords.minimumHelp} />
          </FieldPair>
          <PaydayFields field={paydays} />
          <OnlyRead needs={changeAutoPayoutSettings}>
            <FieldPair>
              <MoneyField {...form.field('maxPerPayout')} optional currency={currency} help={settingsWords.mostHelp} />
              <MoneyField {...form.field('maxPerRun')} optional currency={currency} help={settingsWords.mostHelp} />
            </FieldPair>
            <SwitchField
              {...approvals}
              value={approvals.value === 2}
              help={twoApprovalsWords.help}
              onChange={(on) => approvals.onChange(on ? 2 : 1)}
            />
          </OnlyRead>
          {auto.pendingChange && (
            <PendingLimits
              account={account}
              auto={auto}
              pending={auto.pendingChange}
              onWithdrawn={(next) => form.saved(valuesOf(account, next))}
            />
          )}
        </FormPanel>
        <OnlyRead needs={changeAutoPayoutSettings}>
          <FormPanel
            heading={fieldWords.autoPayoutsEnabled}
            help={settingsWords.automaticHelp({ when: paydaysInWords(paydays.value) })}
            aside={
              <Toggle
                id={enabled.id}
                label={enabled.label}
                labelHidden
                checked={enabled.value}
                onChange={enabled.onChange}
              />
            }
          >
            {auto.wiseError && <Message kind="error">{settingsWords.wiseRefused({ reason: auto.wiseError })}</Message>}
            <h3>{wayWords.names.wise}</h3>
            <WiseProfiles
              state={wise}
              token={form.field('wiseToken', wiseWords.token)}
              profile={form.field('wiseProfileId', wiseWords.profile)}
            />
          </FormPanel>
        </OnlyRead>
        <FormActions submit={formWords.saveChanges} cancel={() => restart(account, auto)} />
      </Form>
    </TwoColumns>
  )
}

type EffectProps = { account: Account; delay: number; on: boolean; wasOn: boolean; paydays: Paydays }

/** The effect on a sale made today, and on the amounts due today. */
function PayoutEffect({ account: { id, timeZone, paydays: saved }, delay, on, wasOn, paydays }: EffectProps) {
  const { data: sums, isLoading: summing } = useQuery(payoutTotalsQuery(id))
  const today = todayIn(timeZone)
  const { data: ways } = useQuery(payoutMethodsQuery(id))
  const byPaypal = ways?.methods.some(({ name, automatic }) => name === 'paypal' && automatic) ?? false
  const run = nextRunDay(today, hourIn(timeZone, new Date()), wasOn || byPaypal, { saved, paydays })
  return (
    <Effect
      facts={[
        { label: settingsWords.saleToday, value: formatDate(today) },
        { label: settingsWords.payable, value: formatDate(addDays(today, delay)) },
        {
          label: settingsWords.nextRun,
          value: on || byPaypal ? (run ? formatDate(run) : settingsWords.onceSaved) : settingsWords.off,
        },
        {
          label: settingsWords.dueAndReady,
          value: summing ? (
            <TextPlaceholder />
          ) : sums ? (
            formatMoney(sums.dueNow.amount, sums.currency)
          ) : (
            basicWords.absent
          ),
        },
        {
          label: settingsWords.feesEstimated,
          value: summing ? (
            <TextPlaceholder />
          ) : sums && sums.feeEstimate !== null ? (
            formatMoney(sums.feeEstimate, sums.currency)
          ) : (
            basicWords.absent
          ),
        },
      ]}
      note={settingsWords.payoutsEffect}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { z } from 'zod'
import { type Account, AccountChange, changeAccount, type selfReferralPolicies } from '#contract/accounts.ts'
import { FraudRulesChange, fraudActions, type FraudRules as Rules, saveFraudRules } from '#contract/fraud.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TagsField } from '../../ui/TagsField.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { fraudActionWords, fraudRuleWords } from '../../words/fraud-rules.ts'
import { fraudWords as words } from '../../words/fraud-settings.ts'
import { settingsWords } from '../../words/settings.ts'
import { fraudRulesQuery } from './queries.ts'

/** Self-referrals, and the rules that look for fraud, each off, flagging or holding. */
export function FraudRules({ account }: { account: Account }) {
  const answer = useQuery(fraudRulesQuery(account.id))
  if (answer.data) return <Loaded account={account} rules={answer.data} />
  return (
    <Panel heading={words.heading}>
      <Pending answer={answer} rows={6} />
    </Panel>
  )
}

type Values = {
  [K in keyof Rules]: Omit<Rules[K], 'action' | 'percent' | 'leadsPerHour'> & {
    action: Rules[K]['action'] | null
  } & ('percent' extends keyof Rules[K] ? { percent: number | string } : object) &
    ('leadsPerHour' extends keyof Rules[K] ? { leadsPerHour: number | string } : object)
}

const choices = fraudActions.map((value) => ({ value, label: fraudActionWords[value] }))

const Changes = FraudRulesChange.extend(AccountChange.pick({ selfReferralPolicy: true }).shape)

type Policy = (typeof selfReferralPolicies)[number]
const policies: readonly Policy[] = ['allow', 'flag', 'hold', 'refuse']

function Loaded({ account: { id, ...account }, rules }: { account: Account; rules: Rules }) {
  const initial = { ...(rules as Values), selfReferralPolicy: account.selfReferralPolicy as Policy | null }
  const form = useContractForm(Changes, { initial, exact: true })
  const may = usePermission()
  const saveRules = useCall(saveFraudRules)
  const saveAccount = useCall(changeAccount)

  /** Saves the account's policy and the rules, as far as they changed. */
  async function save({ selfReferralPolicy, ...changed }: Partial<z.input<typeof Changes>>) {
    const params = { id }
    try {
      const saved = Object.keys(changed).length > 0 ? await saveRules.send({ params, body: changed }) : rules
      const next = selfReferralPolicy
        ? (await saveAccount.send({ params, body: { selfReferralPolicy } })).selfReferralPolicy
        : account.selfReferralPolicy
      form.saved({ ...(saved as Values), selfReferralPolicy: next })
      showToast(words.saved)
    } catch (error) {
      // Shown from the call that was refused.
      if (!(error instanceof CallError)) throw error
    }
  }

  const { paidAds, bannedReferrer, refundRate, speed } = form.values
  const isOn = ({ action }: { action: Rules['speed']['action'] | null }) => action !== 'off'
  return (
    <TwoColumns form aside={null}>
      <Form
        form={form}
        save={{
          busy: saveRules.busy || saveAccount.busy,
          error: saveRules.error ?? saveAccount.error,
          saved: saveAccount.saved,
        }}
        label={words.heading}
        onSubmit={(_, changes) => save(changes)}
      >
        <OnlyRead needs={saveFraudRules}>
          <FormPanel heading={words.heading} help={words.why} aside={<Link to="/cases">{words.openDesk}</Link>}>
            <SelectField
              {...form.field('selfReferralPolicy')}
              choices={policies.map((policy) => ({ value: policy, label: settingsWords.selfReferral[policy] }))}
              help={settingsWords.selfReferralsHelp}
            />
            <SelectField
              {...form.field('existingCustomer.action', fraudRuleWords['existing-customer'])}
              choices={choices}
              help={words.help.existingCustomer}
            />
            <SelectField
              {...form.field('paidAds.action', fraudRuleWords['paid-ads'])}
              choices={choices}
              help={words.help.paidAds}
            />
            {isOn(paidAds) && (
              <TagsField
                {...form.field('paidAds.campaigns', words.campaigns)}
                optional
                spaced
                placeholder={words.addCampaign}
                help={words.campaignsHelp}
              />
            )}
            <SelectField
              {...form.field('bannedReferrer.action', fraudRuleWords['banned-referrer'])}
              choices={choices}
              help={words.help.bannedReferrer}
            />
            {isOn(bannedReferrer) && (
              <TagsField
                {...form.field('bannedReferrer.hosts', words.hosts)}
                placeholder={words.addHost}
                tidy={(typed) => typed.trim().toLowerCase()}
                help={words.hostsHelp}
              />
            )}
            <SelectField
              {...form.field('duplicatePartner.action', fraudRuleWords['duplicate-partner'])}
              choices={choices}
              help={words.help.duplicatePartner}
            />
            <SelectField
              {...form.field('refundRate.action', fraudRuleWords['refund-rate'])}
              choices={choices}
              help={words.help.refundRate}
            />
            {isOn(refundRate) && <NumberField {...form.field('refundRate.percent', words.percent)} />}
            <SelectField
              {...form.field('speed.action', fraudRuleWords.speed)}
              choices={choices}
              help={words.help.speed}
            />
            {isOn(speed) && <NumberField {...form.field('speed.leadsPerHour', words.leadsPerHour)} />}
            <SelectField
              {...form.field('disposableMail.action', fraudRuleWords['disposable-mail'])}
              choices={choices}
              help={words.help.disposableMail}
            />
          </FormPanel>
        </OnlyRead>
        {may(saveFraudRules) && (
          <FormActions submit={formWords.saveChanges} cancel={() => form.restart(form.initial)} />
        )}
      </Form>
    </TwoColumns>
  )
}

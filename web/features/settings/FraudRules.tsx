import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FraudRulesChange, fraudActions, type FraudRules as Rules, saveFraudRules } from '#contract/fraud.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TagsField } from '../../ui/TagsField.tsx'
import { showToast } from '../../ui/toasts.ts'
import { fraudWords as words } from '../../words/fraud-cases.ts'
import { fraudActionWords, fraudRuleWords } from '../../words/fraud-rules.ts'
import { OnlyRead } from './form.tsx'
import { fraudRulesQuery } from './queries.ts'

/** The rules that look for fraud, each off, flagging or holding. */
export function FraudRules({ accountId }: { accountId: string }) {
  const answer = useQuery(fraudRulesQuery(accountId))
  if (answer.data) return <Loaded accountId={accountId} rules={answer.data} />
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

function Loaded({ accountId, rules }: { accountId: string; rules: Rules }) {
  const form = useContractForm(FraudRulesChange, { initial: rules as Values, exact: true })
  const may = usePermission()
  const save = useCall(saveFraudRules, {
    onSuccess(saved) {
      form.saved(saved as Values)
      showToast(words.saved)
    },
  })
  const { paidAds, bannedReferrer, refundRate, speed } = form.values
  const isOn = ({ action }: { action: Rules['speed']['action'] | null }) => action !== 'off'
  return (
    <Form
      form={form}
      save={save}
      label={words.heading}
      onSubmit={(_, changes) => save.mutate({ params: { id: accountId }, body: changes })}
    >
      <OnlyRead unless={may(saveFraudRules)} changedBy="earn">
        <FormPanel heading={words.heading} help={words.why} aside={<Link to="/cases">{words.openDesk}</Link>}>
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
      {may(saveFraudRules) && <FormActions submit={words.save} cancel={() => form.restart(form.initial)} />}
    </Form>
  )
}

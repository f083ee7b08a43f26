import { type Account, AccountChange } from '#contract/accounts.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { SwitchField } from '../../ui/fields.tsx'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { AccountForm, Effect } from './form.tsx'

const valuesOf = ({ invitationsFromPartners, partnerLeadSubmission, partnerVisibility }: Account) => ({
  invitationsFromPartners,
  partnerLeadSubmission,
  partnerVisibility: { ...partnerVisibility },
})

/** Permissions of partners, and what they can see. */
export function Partners({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { leadNames, leadEmails, saleAmounts } = form.values.partnerVisibility
  const shown = (yes: boolean, example: string, instead: string) => (yes ? example : instead)
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      aside={
        <Effect
          heading={settingsWords.partnerSees}
          facts={[
            {
              label: fieldWords.lead,
              value: shown(leadNames, settingsWords.sees.name, settingsWords.sees.noName),
            },
            {
              label: fieldWords.email,
              value: shown(leadEmails, settingsWords.sees.wholeEmail, settingsWords.sees.maskedEmail),
            },
            { label: fieldWords.sale, value: shown(saleAmounts, '$100.00', settingsWords.sees.hidden) },
            { label: settingsWords.sees.share, value: '$10.00' },
            { label: settingsWords.sees.profit, value: settingsWords.sees.never },
          ]}
          note={settingsWords.partnersEffect}
        />
      }
    >
      <FormPanel heading={settingsWords.inviteHeading}>
        <SwitchField
          {...form.field('invitationsFromPartners', fieldWords.invitationsFromPartners)}
          help={settingsWords.invitationsHelp}
        />
        <SwitchField
          {...form.field('partnerLeadSubmission', fieldWords.partnerLeadSubmission)}
          help={settingsWords.leadSubmissionHelp}
        />
      </FormPanel>
      <FormPanel heading={settingsWords.seeHeading}>
        <SwitchField {...form.field('partnerVisibility.leadNames', settingsWords.leadNames)} />
        <SwitchField {...form.field('partnerVisibility.leadEmails', settingsWords.leadEmails)} />
        <SwitchField
          {...form.field('partnerVisibility.saleAmounts', settingsWords.saleAmounts)}
          help={settingsWords.saleAmountsHelp}
        />
      </FormPanel>
    </AccountForm>
  )
}

import { type Account, AccountChange } from '#contract/accounts.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { SwitchField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { AccountForm, Effect } from './form.tsx'
import styles from './Settings.module.css'

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
          heading={t('settings.partnerSees')}
          facts={[
            {
              label: t('settings.sees.lead'),
              value: shown(leadNames, t('settings.sees.name'), t('settings.sees.noName')),
            },
            {
              label: t('settings.sees.email'),
              value: shown(leadEmails, t('settings.sees.wholeEmail'), t('settings.sees.maskedEmail')),
            },
            { label: t('settings.sees.sale'), value: shown(saleAmounts, '$100.00', t('settings.sees.hidden')) },
            { label: t('settings.sees.share'), value: '$10.00' },
            { label: t('settings.sees.profit'), value: t('settings.sees.never') },
          ]}
          note={t('settings.partnersEffect')}
        />
      }
    >
      <FormPanel heading={t('settings.inviteHeading')}>
        <div className={styles.switches}>
          <SwitchField
            {...form.field('invitationsFromPartners', t('settings.invitations'))}
            help={t('settings.invitationsHelp')}
          />
          <SwitchField
            {...form.field('partnerLeadSubmission', t('settings.leadSubmission'))}
            help={t('settings.leadSubmissionHelp')}
          />
        </div>
      </FormPanel>
      <FormPanel heading={t('settings.seeHeading')}>
        <div className={styles.switches}>
          <SwitchField {...form.field('partnerVisibility.leadNames', t('settings.leadNames'))} />
          <SwitchField {...form.field('partnerVisibility.leadEmails', t('settings.leadEmails'))} />
          <SwitchField
            {...form.field('partnerVisibility.saleAmounts', t('settings.saleAmounts'))}
            help={t('settings.saleAmountsHelp')}
          />
        </div>
      </FormPanel>
    </AccountForm>
  )
}

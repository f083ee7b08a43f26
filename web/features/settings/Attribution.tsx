import { type Account, AccountChange } from '#contract/accounts.ts'
import { attributionModels } from '#contract/values.ts'
import { formatDate, todayIn } from '../../format.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { daysAfter } from './days.ts'
import { AccountForm, Effect } from './form.tsx'

type Model = Account['attributionModel']

const valuesOf = ({ attributionModel, leadProtectionDays }: Account) => ({
  attributionModel: attributionModel as Model | null,
  leadProtectionDays: leadProtectionDays as number | string,
})

/** The attribution model, and how long a lead stays protected for its partner. */
export function Attribution({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { attributionModel, leadProtectionDays } = form.values
  const today = todayIn(account.timeZone)
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      aside={
        <Effect
          facts={[
            { label: t('settings.credit'), value: t(`settings.creditOf.${attributionModel ?? 'last-touch'}`) },
            { label: t('settings.leadToday'), value: formatDate(today) },
            { label: t('settings.protectedUntil'), value: protectedUntil(today, leadProtectionDays) },
          ]}
          note={t('settings.attributionEffect')}
        />
      }
    >
      <FormPanel>
        <SelectField
          {...form.field('attributionModel', t('settings.model'))}
          choices={attributionModels.map((model) => ({ value: model, label: t(`settings.models.${model}`) }))}
          help={t('settings.modelHelp')}
        />
        <NumberField
          {...form.field('leadProtectionDays', t('settings.protection'))}
          help={t('settings.protectionHelp')}
        />
      </FormPanel>
    </AccountForm>
  )
}

function protectedUntil(today: string, days: number | string) {
  if (typeof days !== 'number' || days < 0 || days > 365) return t('absent')
  return days === 0 ? t('settings.noEnd') : formatDate(daysAfter(today, days))
}

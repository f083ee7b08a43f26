import { type Account, AccountChange } from '#contract/accounts.ts'
import { addDays } from '#contract/days.ts'
import { rights } from '#contract/endpoint.ts'
import { formatDate, todayIn } from '../../format.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { NumberField } from '../../ui/fields.tsx'
import { basicWords } from '../../words/basic.ts'
import { retentionWords as words } from '../../words/retention.ts'
import { AccountForm, Effect } from './form.tsx'

/** How long data is kept is the owners’ to change (contract/accounts.ts). */
const ofOwners = { allow: rights.own }

const valuesOf = ({ retention: { rawDataDays, idleLeadMonths, payeeYears } }: Account) => ({
  retention: {
    rawDataDays: rawDataDays as number | string,
    idleLeadMonths: (idleLeadMonths ?? '') as number | string,
    payeeYears: payeeYears as number | string,
  },
})

/** How long the account keeps raw data, leads without a sale, and names in records of payments. */
export function Retention({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { rawDataDays, idleLeadMonths, payeeYears } = form.values.retention
  const today = todayIn(account.timeZone)
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      needs={ofOwners}
      aside={
        <Effect
          heading={words.nextNight}
          facts={[
            {
              label: words.rawDataGoes,
              value: within(rawDataDays, 400, (days) => words.before({ date: formatDate(addDays(today, -days)) })),
            },
            {
              label: words.leadsGo,
              value:
                idleLeadMonths === '' ? words.never : within(idleLeadMonths, 60, (months) => words.months({ months })),
            },
            {
              label: words.namesGo,
              value: within(payeeYears, 12, (years) => words.before({ date: `${Number(today.slice(0, 4)) - years}` })),
            },
          ]}
          note={words.effect}
        />
      }
    >
      <FormPanel heading={words.heading}>
        <NumberField {...form.field('retention.rawDataDays', words.rawDataDays)} help={words.rawDataHelp} />
        <NumberField {...form.field('retention.idleLeadMonths', words.idleLeadMonths)} optional help={words.idleHelp} />
        <NumberField {...form.field('retention.payeeYears', words.payeeYears)} help={words.payeeHelp} />
      </FormPanel>
    </AccountForm>
  )
}

/** Shows a number that the field accepts. */
const within = (value: number | string, most: number, show: (value: number) => string) =>
  typeof value === 'number' && value >= 0 && value <= most ? show(value) : basicWords.absent

import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import type { GroupKind } from '#contract/partners.ts'
import { type Marking, TextTabs } from '../../shared/TextTabs.tsx'
import type { FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { groupWords } from '../../words/groups.ts'
import { rewardWords } from '../../words/rewards.ts'

type Props = {
  form: FormWith<{ name: string; publicName: string }> & Marking
  kind: GroupKind
  account: Pick<Account, 'language' | 'pageLanguages'>
}

/** The name for the owner, and the one for partners or customers. */
export function NameFields({ form, kind, account }: Props) {
  const [language, choose] = useState(account.language)
  return (
    <>
      <TextField {...form.field('name', groupWords.name)} autoComplete="off" />
      <TextTabs account={account} form={form} current={language} onChoose={choose}>
        {(text) => (
          <TextField
            {...text('publicName', groupWords.publicName, '')}
            autoComplete="off"
            help={kind === 'customers' ? rewardWords.publicNameHelp : groupWords.publicNameHelp}
            optional
          />
        )}
      </TextTabs>
    </>
  )
}

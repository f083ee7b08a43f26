import type { GroupKind } from '#contract/partners.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { groupWords } from '../../words/groups.ts'
import { rewardWords } from '../../words/rewards.ts'

type Props = { form: FormWith<{ name: string; publicName: string }>; kind: GroupKind }

/** The name for the owner, and the one for partners or customers. */
export const NameFields = ({ form: { field }, kind }: Props) => (
  <>
    <TextField {...field('name', groupWords.name)} autoComplete="off" />
    <TextField
      {...field('publicName', groupWords.publicName)}
      autoComplete="off"
      help={kind === 'customers' ? rewardWords.publicNameHelp : groupWords.publicNameHelp}
      optional
    />
  </>
)

import { useQuery } from '@tanstack/react-query'
import { PICTURE_BYTES } from '#contract/pictures.ts'
import { useGroupChoices } from '#web/shared/groups.ts'
import { useAccount } from '#web/shell/current.ts'
import { defineDelete } from '#web/ui/act.tsx'
import { RadioField, SelectField, TextAreaField, TextField } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { PictureField } from '#web/ui/PictureField.tsx'
import type { FormWith } from '#web/ui/use-form.ts'
import { labelWords } from '#web/words/fields.ts'
import { toastWords } from '#web/words/shell.ts'
import {
  type Asset,
  AssetChange,
  type AssetKind,
  assetKinds,
  changeAsset,
  createAsset,
  deleteAsset,
  NewAsset,
} from '../contract.ts'
import { assetEditorWords as words } from '../text.ts'
import { allLinksQuery } from './queries.ts'

type Typed = {
  name: string
  image: string
  alt: string
  body: string
  blueprintId: string | null
  groupId: string | null
}

const blank: Typed = { name: '', image: '', alt: '', body: '', blueprintId: null, groupId: null }

/** Without the fields of the other kinds, whatever was typed into them before the kind was changed. */
const ofKind = <T extends Typed>(kind: AssetKind, values: T): T =>
  kind === 'image' ? { ...values, body: '' } : { ...values, image: '', alt: '' }

type FieldsProps = { form: FormWith<Typed>; kind: AssetKind; stored?: string | null }

function Fields({ form: { field }, kind, stored = null }: FieldsProps) {
  const { id } = useAccount()
  const links = useQuery(allLinksQuery(id)).data?.items ?? []
  const groups = useGroupChoices(id)
  const image = field('image', words.picture)
  return (
    <>
      <TextField {...field('name', labelWords.name)} autoComplete="off" />
      {kind === 'image' ? (
        <>
          <PictureField
            {...image}
            onChange={(value) => image.onChange(value ?? '')}
            most={PICTURE_BYTES.asset}
            size="1 MB"
            stored={stored}
          />
          <TextField {...field('alt', words.alt)} help={words.altHelp} autoComplete="off" optional />
        </>
      ) : (
        <TextAreaField {...field('body', words.content)} help={words.help} rows={6} />
      )}
      <SelectField
        {...field('blueprintId', words.link)}
        placeholder={words.oldest}
        choices={links.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {groups.length > 0 && (
        <SelectField {...field('groupId', words.group)} placeholder={words.everyone} choices={groups} />
      )}
    </>
  )
}

const AddAsset = defineFormAction(createAsset, NewAsset, (_: { id: string }) => ({
  heading: words.add,
  long: true,
  done: words.added,
  initial: { ...blank, kind: 'image' as AssetKind },
  complete: (values: Typed & { kind: AssetKind }) => ofKind(values.kind, values),
  fields: (form) => (
    <>
      <RadioField
        {...form.field('kind', words.kind)}
        choices={assetKinds.map((value) => ({ value, label: words.kinds[value] }))}
      />
      <Fields form={form as unknown as FormWith<Typed>} kind={form.values.kind} />
    </>
  ),
}))

const EditAsset = defineFormAction(changeAsset, AssetChange, (asset: Asset) => ({
  heading: words.edit,
  long: true,
  done: toastWords.saved({ resource: words.resource }),
  initial: {
    ...blank,
    name: asset.name,
    alt: asset.alt ?? '',
    body: asset.body ?? '',
    blueprintId: asset.blueprintId,
    groupId: asset.groupId,
  },
  fields: (form) => <Fields form={form} kind={asset.kind} stored={asset.imageUrl} />,
}))

const DeleteAsset = defineDelete(deleteAsset, ({ name }: Asset) => ({
  name,
  resource: words.resource,
  thing: words.thing,
  also: words.deleteWhy,
}))

export const assetDialogs = { add: AddAsset, edit: EditAsset, remove: DeleteAsset }

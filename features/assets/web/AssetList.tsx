import { useQuery } from '@tanstack/react-query'
import { useGroupChoices } from '#web/shared/groups.ts'
import { useAccount } from '#web/shell/current.ts'
import { actionsColumn } from '#web/ui/actions-column.tsx'
import { lazyActions } from '#web/ui/late-acts.tsx'
import { Message } from '#web/ui/Message.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { ownPath } from '#web/ui/own-path.ts'
import { Empty } from '#web/ui/Panel.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { PlainTable } from '#web/ui/PlainTable.tsx'
import { basicWords } from '#web/words/basic.ts'
import { fieldWords } from '#web/words/fields.ts'
import { type Asset, changeAsset, createAsset, deleteAsset } from '../contract.ts'
import { assetTabWords } from '../tab-text.ts'
import { assetEditorWords as words } from '../text.ts'
import styles from './AssetList.module.css'
import { allLinksQuery, assetsQuery } from './queries.ts'

const { add, edit, remove } = lazyActions(async () => (await import('./AssetDialogs.tsx')).assetDialogs, {
  add: { label: words.add, needs: createAsset },
  edit: { label: words.editAction, needs: changeAsset },
  remove: { label: words.deleteAction, needs: deleteAsset, danger: true },
})

/** The material of the account for its partners. */
export function AssetList() {
  const { id } = useAccount()
  const answer = useQuery(assetsQuery(id))
  const groups = useGroupChoices(id)
  const links = useQuery(allLinksQuery(id)).data?.items
  const nameOfGroup = (groupId: string | null) =>
    groupId === null ? words.everyone : (groups.find(({ value }) => value === groupId)?.label ?? basicWords.absent)
  return (
    <>
      {links?.every(({ enabled }) => !enabled) && <Message kind="info">{words.noLink}</Message>}
      <PendingPanel
        heading={assetTabWords.label}
        answer={answer}
        rows={6}
        aside={({ items }) => items.length > 0 && words.hint}
      >
        {({ items }) =>
          items.length === 0 ? (
            <Empty hint={words.hint} action={<AddAssetButton />} />
          ) : (
            <PlainTable
              label={assetTabWords.label}
              rows={items}
              columns={[
                { head: fieldWords.name, cell: ({ name }) => <span className="strong wrap">{name}</span> },
                { head: words.kind, cell: ({ kind }) => words.kinds[kind], under: true },
                { head: words.content, cell: (asset) => <Content {...asset} />, wideOnly: true },
                { head: words.group, cell: ({ groupId }) => nameOfGroup(groupId), under: true },
                actionsColumn(({ name }) => name, [edit, remove]),
              ]}
            />
          )
        }
      </PendingPanel>
    </>
  )
}

function Content({ imageUrl, name, width, height, body }: Asset) {
  if (!imageUrl || width === null || height === null) return <code className={styles.body}>{body}</code>
  return (
    <span className="row no-wrap">
      <img src={ownPath(imageUrl)} alt={name} loading="lazy" className={styles.picture} />
      <span className="muted small">{words.size({ width, height })}</span>
    </span>
  )
}

export const AddAssetButton = () => <ActButton adds act={add} of={{ id: useAccount().id }} />

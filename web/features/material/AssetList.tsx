import { useQuery } from '@tanstack/react-query'
import { type Asset, changeAsset, createAsset, deleteAsset } from '#contract/material.ts'
import { allLinks, assets } from '../../shared/assets.ts'
import { useGroupChoices } from '../../shared/groups.ts'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { ownPath } from '../../ui/own-path.ts'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { useActs } from '../../ui/useActs.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { assetWords as words } from '../../words/material.ts'
import styles from './AssetList.module.css'

const AddAsset = lazyPart(async () => (await import('./AssetDialogs.tsx')).AddAsset)
const EditAsset = lazyPart(async () => (await import('./AssetDialogs.tsx')).EditAsset)
const DeleteAsset = lazyPart(async () => (await import('./AssetDialogs.tsx')).DeleteAsset)

/** The material of the account for its partners. */
export function AssetList() {
  const { id } = useAccount()
  const answer = useQuery(assets(id))
  const groups = useGroupChoices(id)
  const { start, dialog } = useActs()
  const links = useQuery(allLinks(id)).data?.items
  const nameOfGroup = (groupId: string | null) =>
    groupId === null ? words.everyone : (groups.find(({ value }) => value === groupId)?.label ?? basicWords.absent)
  return (
    <>
      {links?.every(({ enabled }) => !enabled) && <Message kind="info">{words.noLink}</Message>}
      <PendingPanel heading={words.tab} answer={answer} rows={6} aside={({ items }) => items.length > 0 && words.hint}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty hint={words.hint} action={<AddAssetButton />} />
          ) : (
            <PlainTable
              label={words.tab}
              rows={items}
              keyOf={(asset) => asset.id}
              columns={[
                { head: fieldWords.name, cell: ({ name }) => <span className="strong wrap">{name}</span> },
                { head: words.kind, cell: ({ kind }) => words.kinds[kind], under: true },
                { head: words.content, cell: (asset) => <Content {...asset} />, wideOnly: true },
                { head: words.group, cell: ({ groupId }) => nameOfGroup(groupId), under: true },
                {
                  head: tableWords.actions,
                  headHidden: true,
                  numeric: true,
                  cell: (asset) => (
                    <ActionMenu
                      small
                      label={tableWords.actionsFor({ name: asset.name })}
                      actions={[
                        { label: words.editAction, needs: changeAsset, run: () => start(EditAsset, asset) },
                        {
                          label: words.deleteAction,
                          danger: true,
                          needs: deleteAsset,
                          run: () => start(DeleteAsset, asset),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </PendingPanel>
      {dialog}
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

/** Opens the dialog 'Add asset'. */
export function AddAssetButton() {
  const { id } = useAccount()
  const { start, dialog } = useActs()
  return (
    <>
      <AddAsset.OnUse />
      <Button
        look="primary"
        needs={createAsset}
        icon={<PlusIcon size={16} />}
        data-shortcut="n"
        onClick={() => start(AddAsset, { id })}
      >
        {words.add}
      </Button>
      {dialog}
    </>
  )
}

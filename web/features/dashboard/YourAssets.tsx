import type { PartnerAsset } from '#features/assets/contract.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { ownPath } from '../../ui/own-path.ts'
import { assetWords as words } from '../../words/assets.ts'
import styles from './YourAssets.module.css'

/** Assets as lines: a small picture, the name and what there is to copy. */
export const AssetLines = ({ assets }: { assets: readonly PartnerAsset[] }) => (
  <ul className="items">
    {assets.map((asset) => (
      <li key={asset.id} className="row no-wrap gap-3">
        {asset.imageUrl && <img src={ownPath(asset.imageUrl)} alt="" loading="lazy" className={styles.small} />}
        <span className="rest strong ellipsis">{asset.name}</span>
        <Ways bare {...asset} />
      </li>
    ))}
  </ul>
)

/** Assets with what there is to copy. HTML is shown as code and never rendered. */
export const AssetItems = ({ assets }: { assets: readonly PartnerAsset[] }) => (
  <ul className="items">
    {assets.map((asset) => (
      <li key={asset.id} className="stack gap-2">
        <div className="row between">
          <span className="strong wrap">{asset.name}</span>
          <Ways {...asset} />
        </div>
        {asset.imageUrl ? (
          <img src={ownPath(asset.imageUrl)} alt={asset.name} loading="lazy" className={styles.picture} />
        ) : (
          <CodeBlock>{asset.html ?? asset.text}</CodeBlock>
        )}
      </li>
    ))}
  </ul>
)

function Ways({ name, imageUrl, html, text, bare = false }: PartnerAsset & { bare?: boolean }) {
  const label = html === null ? words.copyText({ name }) : words.copyHtml({ name })
  return (
    <span className="row no-wrap">
      {imageUrl && (
        <a href={ownPath(imageUrl)} download={name} aria-label={words.downloadOf({ name })} className={styles.file}>
          {bare ? <DownloadIcon size={16} /> : words.download}
        </a>
      )}
      <CopyButton small bare={bare} value={html ?? text ?? ''} label={label} />
    </span>
  )
}

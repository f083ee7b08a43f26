import { Link } from '@tanstack/react-router'
import type { PartnerAsset } from '#contract/assets.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ownPath } from '../../ui/own-path.ts'
import { Panel } from '../../ui/Panel.tsx'
import { assetWords as words } from '../../words/assets.ts'
import styles from './YourAssets.module.css'

/** The first assets of a partner's program, and the way to all of them. */
export const YourAssets = ({ assets }: { assets: readonly PartnerAsset[] }) => (
  <Panel heading={words.yours} aside={<Link to="/dashboard/assets">{words.all}</Link>}>
    <AssetItems assets={assets.slice(0, SHOWN)} />
  </Panel>
)

const SHOWN = 3

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

function Ways({ name, imageUrl, html, text }: PartnerAsset) {
  const label = html === null ? words.copyText({ name }) : words.copyHtml({ name })
  return (
    <span className="row">
      {imageUrl && (
        <a href={ownPath(imageUrl)} download={name} aria-label={words.downloadOf({ name })}>
          {words.download}
        </a>
      )}
      <CopyButton small value={html ?? text ?? ''} label={label} />
    </span>
  )
}

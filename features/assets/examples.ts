import type { ExamplesOf } from '#contract/examples/example.ts'
import { APP, ids } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

/** A picture of one pixel. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const imageUrl = `${APP}/files/Vx4cP0tHq9sLd2KmZ7yBnA`

const banner: room.Asset = {
  id: ids.asset,
  kind: 'image',
  name: 'Banner, autumn',
  body: null,
  imageUrl: `${imageUrl}?v=c81f02d7`,
  width: 728,
  height: 90,
  alt: 'Acme plans your shifts',
  blueprintId: ids.blueprint,
  groupId: null,
  createdAt: '2026-02-11T09:00:00.000Z',
  updatedAt: '2026-02-11T09:00:00.000Z',
}

const link = `${APP}/r/k3x7m2qp/jane-whitfield`

const PICTURE_REFUSED = ['not_a_picture', 'picture_too_large', 'storage_full'] as const
const REFUSED = [...PICTURE_REFUSED, 'unknown_placeholder', 'unknown_link', 'unknown_group'] as const

export const calls: ExamplesOf<typeof room> = {
  listAssets: { reply: { items: [banner] } },
  createAsset: {
    refused: [...REFUSED, 'too_many_assets'],
    body: { kind: 'image', name: banner.name, image, alt: banner.alt, blueprintId: ids.blueprint },
    reply: banner,
  },
  changeAsset: {
    refused: [...REFUSED, 'field_not_of_kind'],
    body: { name: 'Banner, winter' },
    reply: { ...banner, name: 'Banner, winter' },
  },
  deleteAsset: {},
  listPartnerAssets: {
    reply: {
      items: [
        {
          id: ids.asset,
          kind: 'image',
          name: banner.name,
          text: null,
          imageUrl,
          html: `<a href="${link}"><img src="${imageUrl}" alt="Acme plans your shifts" width="728" height="90"></a>`,
        },
      ],
    },
  },
}

export const subjectIds = { asset: ids.asset }

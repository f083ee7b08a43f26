import { z } from 'zod'

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type PictureType = (typeof pictureTypes)[number]

/** Most bytes of a picture, by its use, and of all pictures of an account. */
export const PICTURE_BYTES = { logo: 200_000, cover: 500_000, asset: 1_000_000 } as const
export const PICTURES_BYTES = 50_000_000
/** Most pixels of a side. */
export const PICTURE_SIDE = 4096

/** A picture as base64. Its type is read from its bytes. */
export const Picture = (maxBytes: number) =>
  z
    .string()
    .max(Math.ceil(maxBytes / 3) * 4 + 4000, 'This file is too large')
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Choose a picture')

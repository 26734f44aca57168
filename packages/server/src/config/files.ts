import { parseSchedule } from '../lib/schedule.ts'
import { asDuration, asFlag, asNames, asNumber, asSize, fail, type Rows } from './readers.ts'

/** Files: what may be brought in, and how it is given out. Where they lie is in storage.ts. */
export interface FilesConfig {
  readonly uploadSize: number | null
  readonly allowedTypes: readonly string[]
  readonly importTimeout: number
  readonly orphanAge: number
  readonly importDenied: readonly string[]
  readonly importAllowed: readonly string[]
  readonly metadataAllowed: readonly string[]
  readonly hasResumable: boolean
  readonly resumableExpiration: number
  readonly resumableCleanup: string
  readonly assetsMaxAge: number
  readonly assetsPublicMaxAge: number
  readonly assetsRevalidate: boolean
  readonly pictureSide: number
  readonly pictureOperations: number
  readonly picturesAtOnce: number
  readonly pictureTimeout: number
}

export const filesSettings: Rows<FilesConfig> = {
  uploadSize: {
    name: 'FILES_MAX_UPLOAD_SIZE',
    fallback: null,
    read: (text) => (/^(-1|infinity)$/iu.test(text) ? null : asSize(text)),
    what: 'largest file that may be uploaded or imported; imports are never larger than 1gb without it',
  },
  allowedTypes: {
    name: 'FILES_MIME_TYPE_ALLOW_LIST',
    fallback: ['*/*'],
    read: asNames,
    what: 'types of files that may be uploaded, judged by their content, such as image/*,application/pdf',
  },
  importTimeout: {
    name: 'FILES_IMPORT_TIMEOUT',
    fallback: 30_000,
    read: asDuration,
    what: 'longest time that a file is imported from another server',
  },
  orphanAge: {
    name: 'FILES_ORPHAN_AGE',
    fallback: 86_400_000,
    read: asDuration,
    what: 'age at which objects that belong to no file are removed from storages',
  },
  importDenied: {
    name: 'IMPORT_IP_DENY_LIST',
    fallback: [],
    read: asNames,
    what: 'addresses and networks that files are never imported from, besides all that are not public',
  },
  importAllowed: {
    name: 'IMPORT_IP_ALLOW_LIST',
    fallback: [],
    read: asNames,
    what: 'addresses and networks that files may be imported from although they are not public',
  },
  metadataAllowed: {
    name: 'FILE_METADATA_ALLOW_LIST',
    fallback: [
      'ifd0.Make',
      'ifd0.Model',
      'exif.FNumber',
      'exif.ExposureTime',
      'exif.FocalLength',
      'exif.ISOSpeedRatings',
    ],
    read: asNames,
    what: 'entries of EXIF and IPTC that are kept from pictures',
  },
  hasResumable: {
    name: 'TUS_ENABLED',
    fallback: true,
    read: asFlag,
    what: 'serve resumable uploads at /files/tus',
  },
  resumableExpiration: {
    name: 'TUS_UPLOAD_EXPIRATION',
    fallback: 600_000,
    read: asDuration,
    what: 'time after which a resumable upload that nobody continues is removed',
  },
  resumableCleanup: {
    name: 'TUS_CLEANUP_SCHEDULE',
    fallback: '0 * * * *',
    read: (text) => (parseSchedule(text) === null ? fail('has to be a schedule such as 0 * * * *') : text),
    what: 'when expired uploads are removed, as in cron; with six fields, the first one is seconds',
  },
  assetsMaxAge: {
    name: 'ASSETS_CACHE_TTL',
    fallback: 2_592_000_000,
    read: asDuration,
    what: 'how long browsers and caches may keep the content of a file',
  },
  assetsPublicMaxAge: {
    name: 'ASSETS_PUBLIC_TTL',
    fallback: 3_600_000,
    read: asDuration,
    what: 'how long at most caches may keep content that everybody may read; 0: shared caches keep nothing',
  },
  assetsRevalidate: {
    name: 'ASSETS_CACHE_REVALIDATE',
    fallback: false,
    read: asFlag,
    what: 'have caches ask before they use the content of a file again',
  },
  pictureSide: {
    name: 'ASSETS_TRANSFORM_IMAGE_MAX_DIMENSION',
    fallback: 6000,
    read: asNumber(1, 16_383),
    what: 'longest side of pictures that are changed on request, in pixels: before, in between and after',
  },
  pictureOperations: {
    name: 'ASSETS_TRANSFORM_MAX_OPERATIONS',
    fallback: 5,
    read: asNumber(0),
    what: 'most operations in the transforms of one picture',
  },
  picturesAtOnce: {
    name: 'ASSETS_TRANSFORM_MAX_CONCURRENT',
    fallback: 25,
    read: asNumber(1),
    what: 'pictures that are made at once; as many more wait, others are refused',
  },
  pictureTimeout: {
    name: 'ASSETS_TRANSFORM_TIMEOUT',
    fallback: 7500,
    read: asDuration,
    what: 'longest time that one picture is made',
  },
}

/** What the header of a picture tells, as it lies in the file. */
export interface PictureHeader {
  readonly width: number
  readonly height: number
  /** The orientation of EXIF, 1 to 8. Unless given, it is looked up in `exif`. */
  readonly orientation?: number
  /** A TIFF structure. */
  readonly exif?: Buffer
  /** The records of IPTC. */
  readonly iptc?: Buffer
}

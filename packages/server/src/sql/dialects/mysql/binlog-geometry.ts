import { byte, bytesOf, type Bytes } from './binlog-bytes.ts'

const NAMES = ['', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'] as const
const COLLECTION = 7
const SRID = 4

const number = (bytes: Bytes): number => {
  bytes.at += 8
  return bytes.from.readDoubleLE(bytes.at - 8)
}
const count = (bytes: Bytes): number => {
  bytes.at += 4
  return bytes.from.readUInt32LE(bytes.at - 4)
}

type Coordinates = readonly (number | Coordinates)[]

const many = <T>(bytes: Bytes, read: (bytes: Bytes) => T): T[] =>
  Array.from({ length: count(bytes) }, () => read(bytes))

const point = (bytes: Bytes): Coordinates => [number(bytes), number(bytes)]
const line = (bytes: Bytes): Coordinates => many(bytes, point)
const polygon = (bytes: Bytes): Coordinates => many(bytes, line)
/** Each part begins with its own byte order and type. */
const parts =
  (read: (bytes: Bytes) => Coordinates) =>
  (bytes: Bytes): Coordinates =>
    many(bytes, (each) => {
      each.at += 5
      return read(each)
    })

const readers = [null, point, line, polygon, parts(point), parts(line), parts(polygon)] as const

function geometry(bytes: Bytes): unknown {
  const isLittle = byte(bytes) === 1
  const type = count(bytes)
  if (type === COLLECTION && isLittle) return { type: 'GeometryCollection', geometries: many(bytes, geometry) }
  const read = readers[type] ?? null
  if (!isLittle || read === null) throw new TypeError('unknown geometry')
  return { type: NAMES[type], coordinates: read(bytes) }
}

/** The server stores the system of coordinates and the well-known binary form; undefined: it is none. */
export function geoJson(value: Buffer): string | undefined {
  try {
    return JSON.stringify(geometry(bytesOf(value, SRID)))
  } catch {
    return undefined
  }
}

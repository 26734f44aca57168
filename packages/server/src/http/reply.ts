import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { TextFile } from '../procedure.ts'

export function sendJson(reply: FastifyReply, text: string): void {
  void reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

export const sendData = (reply: FastifyReply, data: unknown): void => sendJson(reply, JSON.stringify({ data }))

export const sendFile = (reply: FastifyReply, { name, mediaType, content }: TextFile): FastifyReply =>
  reply
    .header('content-type', `${mediaType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(typeof content === 'string' ? content : Readable.from(content, { objectMode: false }))

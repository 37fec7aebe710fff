import { X509Certificate } from "node:crypto";
import { Injectable, ServiceUnavailableException } from "@nestjs/common";
import { OutboundClient, OutboundError } from "../../../platform/outbound/outbound.client.js";
import { originOf, type Topic } from "./aws.js";
import { isCertificateOf, isSignedBy, type SnsMessage } from "./sns-messages.js";

/** Of one client. Addresses of certificates that do not exist cost a request each, and anybody can name some. */
const MAX_FETCHES = 10;
const FETCHES_MS = 60_000;
const MAX_CERTIFICATE_BYTES = 16_384;
const FETCH_MS = 5_000;
/** There is no such certificate. Any other status says nothing about it. */
const NONE = new Set([403, 404]);

/** Verifies what comes from SNS, and confirms subscriptions. It calls no host but SNS in the region of the topic. */
@Injectable()
export class SnsClient {
  /** By their address. What others name does not drop them: SNS has few, and each is valid for a year. */
  private readonly known = new Map<string, X509Certificate>();
  private readonly fetching = new Map<string, Promise<X509Certificate | undefined>>();
  private fetches: { client: string; at: number }[] = [];

  constructor(private readonly outbound: OutboundClient) {}

  /**
   * @param client who brings the message. Strangers may not use up what SNS needs
   * @throws ServiceUnavailableException: the certificate cannot be fetched at the moment
   */
  async isSigned(topic: Topic, message: SnsMessage, client: string): Promise<boolean> {
    if (!isCertificateOf(topic, message.SigningCertURL)) return false;
    const certificate = await this.certificate(new URL(message.SigningCertURL).href, client);
    return certificate !== undefined && isValid(certificate) && isSignedBy(message, certificate, Date.now());
  }

  /** Confirms the subscription of this topic. Where `SubscribeURL` leads does not matter. @throws ServiceUnavailableException */
  async confirm(topic: Topic, { TopicArn, Token = "" }: SnsMessage): Promise<void> {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn, Token }).toString();
    const { status } = await this.outbound
      .exchange(`${originOf("sns", topic)}/?${query}`, { headers: { accept: "*/*" }, timeoutMs: FETCH_MS })
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    if (status !== 200) throw new ServiceUnavailableException(`SNS answered with status ${status} to the confirmation`);
  }

  private certificate(url: string, client: string): Promise<X509Certificate | undefined> {
    const known = this.known.get(url);
    if (known && isValid(known)) return Promise.resolve(known);
    const fetching = this.fetching.get(url);
    if (fetching) return fetching;
    const now = performance.now();
    this.fetches = this.fetches.filter(({ at }) => now - at < FETCHES_MS);
    if (this.fetches.filter((one) => one.client === client).length >= MAX_FETCHES)
      throw new ServiceUnavailableException("Too many certificates are asked for");
    this.fetches.push({ client, at: now });
    const certificate = this.fetch(url).finally(() => this.fetching.delete(url));
    this.fetching.set(url, certificate);
    return certificate;
  }

  private async fetch(url: string): Promise<X509Certificate | undefined> {
    const { status, bytes } = await this.outbound
      .exchangeBytes(url, { headers: { accept: "*/*" }, timeoutMs: FETCH_MS, excerptBytes: MAX_CERTIFICATE_BYTES })
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    if (NONE.has(status)) return undefined;
    if (status !== 200) throw new ServiceUnavailableException(`SNS answered with status ${status}`);
    try {
      const certificate = new X509Certificate(bytes);
      this.known.set(url, certificate);
      return certificate;
    } catch {
      return undefined;
    }
  }
}

const isValid = ({ validFrom, validTo }: X509Certificate): boolean =>
  Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);

const unavailable = (error: unknown): unknown =>
  error instanceof OutboundError ? new ServiceUnavailableException(`SNS: ${error.message}`) : error;

/** An ARN of a topic: the partition, its region, and what is in it. */
const TOPIC = /^arn:([a-z0-9-]{1,20}):sns:([a-z]{2}(?:-[a-z0-9]{1,12}){1,4}):(\d{12}):([\w-]{1,256}(?:\.fifo)?)$/;

/** Where a service of AWS is, by the partition that an ARN names. What is elsewhere is not AWS. */
export const AWS: Record<string, (service: "sns" | "s3", region: string) => string> = {
  aws: (service, region) => `https://${service}.${region}.amazonaws.com`,
  "aws-cn": (service, region) => `https://${service}.${region}.amazonaws.com.cn`,
  "aws-us-gov": (service, region) => `https://${service}.${region}.amazonaws.com`,
};

export interface Topic {
  partition: string;
  region: string;
}

/** @returns undefined if it is not the ARN of a topic in a partition that we know */
export function topicOf(arn: unknown): Topic | undefined {
  const [, partition, region] = (typeof arn === "string" && TOPIC.exec(arn)) || [];
  return partition && region && Object.hasOwn(AWS, partition) ? { partition, region } : undefined;
}

/** The origin of a service in the region of a topic, or in another one of its partition. */
export const originOf = (service: "sns" | "s3", { partition, region }: Topic): string =>
  AWS[partition]!(service, region);

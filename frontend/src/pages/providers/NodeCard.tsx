// One node: its state, its devices as a row of tiles, and an ask per class.

import { useQueryClient } from "@tanstack/react-query";
import type { Ask, Node } from "@/api/types";
import { Actions } from "@/design/Actions";
import { StateChip } from "@/design/Chip";
import { Id } from "@/design/Copy";
import { Relative } from "@/design/Moment";
import { Panel } from "@/design/Panel";
import { gigabytes, useClassNames } from "@/market/className";
import { nodeAction } from "@/queries/actions";
import { DEVICE_STATES, NODE_STATES } from "@/states/supply";
import { lookIn } from "@/states/tone";
import { AskRow } from "./AskRow";
import classes from "./Node.module.css";

interface Props {
  node: Node;
  currency: string;
  manages: boolean;
}

export function NodeCard({ node, currency, manages }: Props) {
  const client = useQueryClient();
  const nameOf = useClassNames();
  const refresh = () => client.invalidateQueries({ queryKey: ["providers"] });
  const classIds = [
    ...new Set([...node.devices.map((device) => device.class_id), ...node.asks.map((ask) => ask.class_id)]),
  ];
  const askOf = (classId: string): Ask | undefined => node.asks.find((ask) => ask.class_id === classId);
  return (
    <Panel
      title={node.name}
      note={
        <span className={classes.facts}>
          <StateChip table={NODE_STATES} state={node.state} />
          <span>{node.verified ? "verified" : "not verified"}</span>
          <span>{(node.reliability * 100).toFixed(2)} % reliable</span>
          <span>{node.region}</span>
          <span>
            {Math.round(node.cpu_milli / 1000)} CPUs, {gigabytes(node.memory_mib)}
          </span>
          {node.nvlink && <span>NVLink</span>}
          <span>{node.adapter}</span>
          <span>heartbeat {node.heartbeat_at ? <Relative at={node.heartbeat_at} /> : "never"}</span>
          <Id value={node.id} />
        </span>
      }
      actions={
        manages && (
          <Actions
            actions={node.actions}
            subject={`node ${node.name}`}
            size="xs"
            send={nodeAction(node.id)}
            onDone={refresh}
          />
        )
      }
    >
      <ul className={classes.devices} aria-label={`Devices of ${node.name}`}>
        {node.devices.map((device) => {
          const look = lookIn(DEVICE_STATES, device.state);
          return (
            <li
              key={device.id}
              className={classes.device}
              data-tone={look.tone}
              title={`${device.uuid}\n${look.means}`}
            >
              <b>{device.slot}</b>
              <span>{nameOf(device.class_id)}</span>
              <span>{look.label}</span>
            </li>
          );
        })}
      </ul>
      <div className={classes.asks}>
        {classIds.map((classId) => (
          <AskRow
            key={`${classId} ${askOf(classId)?.id ?? "none"}`}
            node={node.id}
            classId={classId}
            name={nameOf(classId)}
            ask={askOf(classId)}
            currency={currency}
            manages={manages}
            onDone={refresh}
          />
        ))}
      </div>
    </Panel>
  );
}
